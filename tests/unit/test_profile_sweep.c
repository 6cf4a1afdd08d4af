/* The sweep of a dependency graph against an event-driven oracle, on random graphs: the same to the
 * last bit, for any number of lanes, in one part or in several. */
#include "sim/profiles/profile_path.h"
#include "sim/profiles/profile_sweep.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_RANKS 3

static struct hc_error err;
static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* Points in an order that is none of their dependences: each hangs on points that come before it in
 * a permutation. */
static void build(struct hc_profile_graph *graph, size_t n)
{
    static const uint8_t works[] = {HC_WORK_CPU, HC_WORK_GPU, HC_WORK_COMM, HC_WORK_FIXED};
    uint32_t *order = malloc(n * sizeof *order), *place = malloc(n * sizeof *place);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t k = draw(i);
        uint32_t held = order[i - 1];
        order[i - 1] = order[k];
        order[k] = held;
    }
    for (size_t i = 0; i < n; i++)
        place[order[i]] = (uint32_t)i;
    for (size_t p = 0; p < n; p++) {
        struct hc_graph_point point = {.t_ns = (int64_t)draw(1000000),
                                       .residual_ns = draw(4) ? 0 : (int64_t)draw(500),
                                       .rank_index = (uint16_t)draw(N_RANKS),
                                       .collective = HC_NO_POINT,
                                       .finishes = draw(5) == 0};
        size_t n_arcs = place[p] == 0 ? 0 : draw(5);
        point.is_start = n_arcs == 0 && draw(2);
        if (n_arcs == 0)
            point.residual_ns = 0;
        ck_assert(!hc_graph_add_point(graph, point, &err));
        for (size_t a = 0; a < n_arcs; a++) {
            int64_t w = (int64_t)draw(2000) - 200;
            struct hc_graph_arc arc = {.from = order[draw(place[p])],
                                       .w_ns = w,
                                       .alt_ns = w / 2,
                                       .rank_index = (uint16_t)draw(N_RANKS),
                                       .kind = (uint8_t)draw(HC_EDGE_FINISH),
                                       .part = (uint8_t)draw(HC_N_PATH_PARTS),
                                       .work = works[draw(4)]};
            ck_assert(!hc_graph_add_arc(graph, arc, &err));
        }
    }
    free(order);
    free(place);
}

static void draw_lanes(struct hc_sweep_lanes *lanes)
{
    for (size_t i = 0; i < N_RANKS * HC_N_WORKS; i++)
        for (size_t l = 0; l < lanes->n; l++) {
            lanes->alt[i * lanes->stride + l] = (double)draw(2);
            lanes->factor[i * lanes->stride + l] = draw(2) ? 1 : (double)draw(40) / 16;
        }
    for (size_t r = 0; r < N_RANKS; r++)
        for (size_t l = 0; l < lanes->n; l++)
            lanes->moves_start[r * lanes->stride + l] = (double)draw(2);
    for (size_t l = 0; l < lanes->n; l++)
        lanes->residual[l] = (double)draw(2);
    lanes->median_start_ns = 12345;
}

/* ---- the oracle: a point happens when the last of what it waits for has reached it ---- */

static int64_t weight(const struct hc_graph_arc *arc, const struct hc_sweep_lanes *lanes, size_t l)
{
    if (arc->work == HC_WORK_FIXED)
        return arc->w_ns;
    size_t at = (arc->rank_index * HC_N_WORKS + arc->work) * lanes->stride + l;
    int64_t w = lanes->alt[at] != 0 ? arc->alt_ns : arc->w_ns;
    return (int64_t)nearbyint((double)w * lanes->factor[at]);
}

static int64_t simulate(const struct hc_profile_graph *graph, const struct hc_sweep_lanes *lanes,
                        size_t l)
{
    size_t n = graph->n_points, n_ready = 0;
    int64_t *value = calloc(n, sizeof *value), finish = INT64_MIN;
    uint32_t *waits = calloc(n, sizeof *waits), *ready = calloc(n, sizeof *ready);
    for (size_t p = 0; p < n; p++) {
        const struct hc_graph_point *point = &graph->points[p];
        waits[p] = (uint32_t)(hc_graph_end_arc(graph, p) - point->first_arc);
        bool moves =
            point->is_start && lanes->moves_start[point->rank_index * lanes->stride + l] != 0;
        value[p] = waits[p] ? INT64_MIN : moves ? (int64_t)lanes->median_start_ns : point->t_ns;
        if (!waits[p])
            ready[n_ready++] = (uint32_t)p;
    }
    for (size_t i = 0; i < n_ready; i++) {
        uint32_t p = ready[i];
        const struct hc_graph_point *point = &graph->points[p];
        value[p] += lanes->residual[l] != 0 ? point->residual_ns : 0;
        if (point->finishes && value[p] > finish)
            finish = value[p];
        for (size_t q = 0; q < n; q++)
            for (size_t a = graph->points[q].first_arc; a < hc_graph_end_arc(graph, q); a++) {
                if (graph->arcs[a].from != p)
                    continue;
                int64_t at = value[p] + weight(&graph->arcs[a], lanes, l);
                value[q] = at > value[q] ? at : value[q];
                if (--waits[q] == 0)
                    ready[n_ready++] = (uint32_t)q;
            }
    }
    ck_assert_uint_eq(n_ready, n);
    free(value);
    free(waits);
    free(ready);
    return finish;
}

START_TEST(random_graphs)
{
    static const size_t widths[] = {1, 5, 8, 64, 77, 130};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct hc_profile_graph graph = {0};
        struct hc_graph_order order = {0};
        struct hc_sweep_lanes lanes;
        struct hc_sweep sweep;
        state = seed * 0x9e3779b97f4a7c15u;
        build(&graph, 2 + draw(120));
        ck_assert_msg(!hc_graph_find_order(&order, &graph, &err), "%s", err.message);
        ck_assert(!hc_sweep_lanes_init(&lanes, widths[seed % 6], N_RANKS, &err));
        draw_lanes(&lanes);
        ck_assert(!hc_sweep_init(&sweep, &lanes, &err));
        ck_assert(!hc_sweep_part(&sweep, &graph, &order, &err));
        for (size_t l = 0; l < lanes.n; l++) {
            int64_t expected = simulate(&graph, &lanes, l);
            if (expected != INT64_MIN)
                ck_assert_msg(hc_sweep_finish(&sweep, l) == expected, "seed %d lane %zu", (int)seed,
                              l);
        }
        hc_sweep_fini(&sweep);
        hc_sweep_lanes_fini(&lanes);
        hc_graph_order_fini(&order);
        hc_graph_fini(&graph);
    }
}
END_TEST

/* The parts of a path sum to its length, and its end is the traced finish. */
START_TEST(paths)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct hc_profile_graph graph = {0};
        struct hc_graph_order order = {0};
        struct hc_sweep_lanes lanes;
        struct hc_path path;
        state = seed * 0x9e3779b97f4a7c15u;
        build(&graph, 2 + draw(120));
        ck_assert(!hc_graph_find_order(&order, &graph, &err));
        ck_assert(!hc_sweep_lanes_init(&lanes, 1, N_RANKS, &err));
        ck_assert(!hc_path_init(&path, N_RANKS, &err));
        ck_assert(!hc_path_part(&path, &graph, &order, &err));
        const struct hc_way *way = hc_path_last(&path);
        int64_t finish = simulate(&graph, &lanes, 0), sum = 0;
        ck_assert_int_eq(way ? way->value_ns : INT64_MIN, finish);
        for (size_t k = 0; way && k < HC_N_PATH_PARTS; k++)
            sum += way->part_ns[k];
        if (way)
            ck_assert_int_eq(sum, way->value_ns - way->begin_ns);
        hc_path_fini(&path);
        hc_sweep_lanes_fini(&lanes);
        hc_graph_order_fini(&order);
        hc_graph_fini(&graph);
    }
}
END_TEST

START_TEST(a_circle)
{
    struct hc_profile_graph graph = {0};
    struct hc_graph_order order = {0};
    for (uint32_t p = 0; p < 3; p++) {
        ck_assert(!hc_graph_add_point(&graph, (struct hc_graph_point){.t_ns = p}, &err));
        ck_assert(!hc_graph_add_arc(
            &graph, (struct hc_graph_arc){.from = (p + 2) % 3, .kind = HC_EDGE_THREAD}, &err));
    }
    ck_assert_int_eq(hc_graph_find_order(&order, &graph, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "the trace contradicts itself: point 0 waits for point 2 waits "
                                  "for point 1, and so round in a circle of 3 events");
    hc_graph_order_fini(&order);
    hc_graph_fini(&graph);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_sweep");
    TCase *tcase = tcase_create("profile_sweep");
    tcase_add_test(tcase, random_graphs);
    tcase_add_test(tcase, paths);
    tcase_add_test(tcase, a_circle);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
