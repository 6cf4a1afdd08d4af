#include "core/tables/nodes/node_state.h"

#include <string.h>
#include <strings.h>

const char *const hc_node_base_names[HC_N_NODE_BASES] = {
    [HC_NODE_UNKNOWN] = "unknown", [HC_NODE_IDLE] = "idle", [HC_NODE_ALLOCATED] = "allocated",
    [HC_NODE_MIXED] = "mixed",     [HC_NODE_DOWN] = "down", [HC_NODE_ERROR] = "error",
    [HC_NODE_FUTURE] = "future",
};

/* The words of node_state_string and node_state_string_compact of Slurm, and of the flags of its
 * JSON. HC_NODE_UNKNOWN: the word says nothing of the base state. Where a cut word fits several,
 * the first is meant. */
static const struct {
    const char *word;
    enum hc_node_base base;
    int32_t flags;
} words[] = {
    {"IDLE", HC_NODE_IDLE, 0},
    {"ALLOCATED", HC_NODE_ALLOCATED, 0},
    {"ALLOC", HC_NODE_ALLOCATED, 0},
    {"MIXED", HC_NODE_MIXED, 0},
    {"MIX", HC_NODE_MIXED, 0},
    {"DOWN", HC_NODE_DOWN, 0},
    {"ERROR", HC_NODE_ERROR, 0},
    {"UNKNOWN", HC_NODE_UNKNOWN, 0},
    {"UNK", HC_NODE_UNKNOWN, 0},
    {"FUTURE", HC_NODE_FUTURE, 0},
    {"FUTR", HC_NODE_FUTURE, 0},
    {"DRAIN", HC_NODE_UNKNOWN, HC_NODE_DRAIN},
    {"DRAINED", HC_NODE_IDLE, HC_NODE_DRAIN},
    {"DRAINING", HC_NODE_ALLOCATED, HC_NODE_DRAIN},
    {"DRNG", HC_NODE_ALLOCATED, HC_NODE_DRAIN},
    {"FAIL", HC_NODE_UNKNOWN, HC_NODE_FAIL},
    {"FAILING", HC_NODE_ALLOCATED, HC_NODE_FAIL},
    {"FAILG", HC_NODE_ALLOCATED, HC_NODE_FAIL},
    {"MAINT", HC_NODE_UNKNOWN, HC_NODE_MAINT},
    {"MAINTENANCE", HC_NODE_UNKNOWN, HC_NODE_MAINT},
    {"RESERVED", HC_NODE_UNKNOWN, HC_NODE_RESERVED},
    {"RESV", HC_NODE_UNKNOWN, HC_NODE_RESERVED},
    {"PLANNED", HC_NODE_UNKNOWN, HC_NODE_PLANNED},
    {"PLND", HC_NODE_UNKNOWN, HC_NODE_PLANNED},
    {"NOT_RESPONDING", HC_NODE_UNKNOWN, HC_NODE_NOT_RESPONDING},
    {"NO_RESPOND", HC_NODE_UNKNOWN, HC_NODE_NOT_RESPONDING},
    {"COMPLETING", HC_NODE_UNKNOWN, HC_NODE_COMPLETING},
    {"COMP", HC_NODE_UNKNOWN, HC_NODE_COMPLETING},
    {"POWERED_DOWN", HC_NODE_UNKNOWN, HC_NODE_POWERED_DOWN},
    {"POWER_DOWN", HC_NODE_UNKNOWN, HC_NODE_POWERED_DOWN},
    {"POW_DN", HC_NODE_UNKNOWN, HC_NODE_POWERED_DOWN},
    {"POWERING_DOWN", HC_NODE_UNKNOWN, HC_NODE_POWERING_DOWN},
    {"POW_DN", HC_NODE_UNKNOWN, HC_NODE_POWERING_DOWN},
    {"POWERING_UP", HC_NODE_UNKNOWN, HC_NODE_POWERING_UP},
    {"POWER_UP", HC_NODE_UNKNOWN, HC_NODE_POWERING_UP},
    {"POW_UP", HC_NODE_UNKNOWN, HC_NODE_POWERING_UP},
    {"REBOOT", HC_NODE_UNKNOWN, HC_NODE_REBOOT},
    {"REBOOT_ISSUED", HC_NODE_UNKNOWN, HC_NODE_REBOOT},
    {"REBOOT_REQUESTED", HC_NODE_UNKNOWN, HC_NODE_REBOOT},
    {"BOOT", HC_NODE_UNKNOWN, HC_NODE_REBOOT},
    {"INVAL", HC_NODE_UNKNOWN, HC_NODE_INVALID},
    {"INVALID_REG", HC_NODE_UNKNOWN, HC_NODE_INVALID},
    {"CLOUD", HC_NODE_UNKNOWN, HC_NODE_CLOUD},
    {"DYNAMIC_NORM", HC_NODE_UNKNOWN, 0},
    {"DYNAMIC_FUTURE", HC_NODE_UNKNOWN, 0},
    {"PERFCTRS", HC_NODE_UNKNOWN, 0},
    {"NPC", HC_NODE_UNKNOWN, 0},
    {"BLOCKED", HC_NODE_UNKNOWN, HC_NODE_BLOCKED},
    {"RES", HC_NODE_UNKNOWN, 0}, /* bits that Slurm keeps for itself */
    {"UNDRAIN", HC_NODE_UNKNOWN, 0},
    {"RESUME", HC_NODE_UNKNOWN, 0},
};

static bool add_word(struct hc_node_state *state, const char *text, size_t length, bool is_cut)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t whole = strlen(words[i].word);
        if ((is_cut ? length > whole : length != whole) ||
            strncasecmp(words[i].word, text, length) != 0)
            continue;
        if (words[i].base != HC_NODE_UNKNOWN && state->base == HC_NODE_UNKNOWN)
            state->base = words[i].base;
        state->flags |= words[i].flags;
        return true;
    }
    state->flags |= HC_NODE_OTHER;
    return false;
}

/* What a sign behind the word of a state says, -1 where it is none. */
static int32_t sign_flags(char sign)
{
    switch (sign) {
    case '*':
        return HC_NODE_NOT_RESPONDING;
    case '~':
        return HC_NODE_POWERED_DOWN;
    case '#':
        return HC_NODE_POWERING_UP;
    case '!':
    case '%':
        return HC_NODE_POWERING_DOWN;
    case '$':
        return HC_NODE_MAINT;
    case '@':
    case '^':
        return HC_NODE_REBOOT;
    case '-':
        return HC_NODE_PLANNED;
    default:
        return -1;
    }
}

bool hc_node_state_add(struct hc_node_state *state, const char *text, size_t length)
{
    bool is_known = length > 0, is_cut = length && text[length - 1] == '+';
    length -= is_cut;
    while (length) {
        const char *plus = memchr(text, '+', length);
        size_t n = plus ? (size_t)(plus - text) : length, word = n;
        for (; word > 1 && sign_flags(text[word - 1]) >= 0; word--)
            state->flags |= sign_flags(text[word - 1]);
        is_known &= add_word(state, text, word, is_cut && !plus);
        text += n + (plus != NULL);
        length -= n + (plus != NULL);
    }
    return is_known;
}
