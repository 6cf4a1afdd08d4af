/* Words of scenarios on step timelines that more than one key takes, by the numbers that they stand
 * for. */
#include "study/engines/replay/replay_wing.h"

/* Names of op types, in the order of the enum; then those of enum hc_profile_op. */
const char *const hc_replay_op_types[] = {"backward-compute",
                                          "backward-recv",
                                          "backward-send",
                                          "embedding-grads-all-reduce",
                                          "forward-compute",
                                          "forward-recv",
                                          "forward-send",
                                          "gc",
                                          "grads-reduce-scatter",
                                          "layernorm-grads-all-reduce",
                                          "optimizer",
                                          "optimizer-clip-main-grad",
                                          "params-all-gather",
                                          "separate-grads-all-reduce",
                                          "cpu",
                                          "gpu",
                                          "comm",
                                          "start",
                                          NULL};
const char *const hc_replay_slowest_of[] = {"ops", "workers", "dp_ranks", "stages", NULL};
const char *const hc_replay_drawn_per[] = {"op", "worker", "step", "worker_step", "job", NULL};
const char *const hc_replay_classes[] = {"op",   "stage",      "worker", "dp_rank",
                                         "step", "microbatch", "chunk",  NULL};

unsigned hc_replay_place_of(const char *const *words, const char *word)
{
    unsigned i = 0;
    while (words[i] && strcmp(words[i], word) != 0)
        i++;
    return i;
}

unsigned hc_replay_bind_words(const char *const *words, const struct hc_node *node)
{
    unsigned bits = 0;
    if (node && node->type == HC_NODE_TEXT)
        return 1u << hc_replay_place_of(words, node->text);
    for (const struct hc_node *child = node ? node->first : NULL; child; child = child->next)
        bits |= 1u << hc_replay_place_of(words, child->text);
    return bits;
}
