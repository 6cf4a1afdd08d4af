/* States of nodes as Slurm writes them, and how their flags are kept. */
#include "core/tables/nodes/node_state.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *text;
    enum hc_node_base base;
    int32_t flags;
    bool is_known;
} states[] = {
    {"IDLE", HC_NODE_IDLE, 0, true},
    {"idle", HC_NODE_IDLE, 0, true},
    {"alloc", HC_NODE_ALLOCATED, 0, true},
    {"MIXED*", HC_NODE_MIXED, HC_NODE_NOT_RESPONDING, true},
    {"DOWN~", HC_NODE_DOWN, HC_NODE_POWERED_DOWN, true},
    {"DOWN*+DRAIN", HC_NODE_DOWN, HC_NODE_NOT_RESPONDING | HC_NODE_DRAIN, true},
    {"IDLE+DRAIN", HC_NODE_IDLE, HC_NODE_DRAIN, true},
    {"IDLE+DRAIN+NOT_RESPONDING", HC_NODE_IDLE, HC_NODE_DRAIN | HC_NODE_NOT_RESPONDING, true},
    {"drained", HC_NODE_IDLE, HC_NODE_DRAIN, true},
    {"draining@", HC_NODE_ALLOCATED, HC_NODE_DRAIN | HC_NODE_REBOOT, true},
    {"DRAIN", HC_NODE_UNKNOWN, HC_NODE_DRAIN, true},
    {"drain+", HC_NODE_UNKNOWN, HC_NODE_DRAIN, true},
    {"alloca+", HC_NODE_ALLOCATED, 0, true},
    {"mix-", HC_NODE_MIXED, HC_NODE_PLANNED, true},
    {"idle$", HC_NODE_IDLE, HC_NODE_MAINT, true},
    {"RESERVED+IDLE", HC_NODE_IDLE, HC_NODE_RESERVED, true},
    {"IDLE+SINGING", HC_NODE_IDLE, HC_NODE_OTHER, false},
    {"*", HC_NODE_UNKNOWN, HC_NODE_OTHER, false},
    {"++", HC_NODE_UNKNOWN, HC_NODE_OTHER, false},
    {"", HC_NODE_UNKNOWN, 0, false},
};

START_TEST(compound_states)
{
    struct hc_node_state state = {HC_NODE_UNKNOWN, 0};
    bool is_known = hc_node_state_add(&state, states[_i].text, strlen(states[_i].text));
    ck_assert_msg(is_known == states[_i].is_known && state.base == states[_i].base &&
                      state.flags == states[_i].flags,
                  "'%s' is %s with flags %d", states[_i].text, hc_node_base_names[state.base],
                  state.flags);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_states");
    TCase *states_case = tcase_create("states");
    tcase_add_loop_test(states_case, compound_states, 0, sizeof states / sizeof *states);
    suite_add_tcase(suite, states_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
