#include "parsers/steps/metadata.h"

#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/hc-test-metadata-XXXXXX";
static char path[64], other[80], log_path[64];

static enum hc_status read_bytes(const char *text, size_t length, struct hc_job *job,
                                 struct hc_error *err)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return hc_metadata_read(job, path, "fallback", err);
}

static struct hc_job read_good(const char *text)
{
    struct hc_error err = {0};
    struct hc_job job;
    ck_assert_msg(read_bytes(text, strlen(text), &job, &err) == HC_OK, "%s", err.message);
    return job;
}

/* expected: what follows "'<path>'" in the message. */
static void check_refused_bytes(const char *text, size_t length, const char *expected)
{
    struct hc_error err = {0};
    struct hc_job job;
    char whole[HC_ERROR_SIZE];
    ck_assert_int_eq(read_bytes(text, length, &job, &err), HC_BAD_INPUT);
    snprintf(whole, sizeof whole, "'%s'%s", path, expected);
    ck_assert_str_eq(err.message, whole);
    ck_assert_ptr_null(job.id);
}

static void check_refused(const char *text, const char *expected)
{
    check_refused_bytes(text, strlen(text), expected);
}

/* What libyaml finds wrong is worded by libyaml. */
static void check_malformed(const char *text, size_t length, const char *expected)
{
    struct hc_error err = {0};
    struct hc_job job;
    ck_assert_int_eq(read_bytes(text, length, &job, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, expected) && strstr(err.message, path), "%s", err.message);
}

START_TEST(reads_the_keys_of_the_artifact)
{
    struct hc_job job =
        read_good("trial_name: AR\nrun_id: 3\ndp_size: 4\ndsp_size: 1\npp_size: 4\ntp_size: 4\n"
                  "vpp_size: 2\nworld_size: 64\n");
    ck_assert_str_eq(job.id, "AR");
    ck_assert_str_eq(job.cluster, "default");
    ck_assert(job.attempt == 3 && job.dp_size == 4 && job.dsp_size == 1 && job.pp_size == 4);
    ck_assert(job.tp_size == 4 && job.vpp_size == 2 && job.world_size == 64);
    ck_assert(job.start_unix_ns == HC_MISSING_I64 && !job.n_aliases && !job.n_nodes);
    ck_assert_str_eq(job.meta_path, path);
    ck_assert_uint_eq(strlen(job.meta_sha256), 64);
    hc_job_fini(&job);
}
END_TEST

START_TEST(reads_our_keys)
{
    struct hc_job job =
        read_good("# ours\ncluster: east\ntrial_name: t\njob_id: '007'\nrun_id: 1\nattempt: 2\n"
                  "start_time: 2026-11-21T09:52:02.5Z\n"
                  "nodes: {3: n3, 1: n1}\n"
                  "op_types:\n  fwd: forward-compute\n  ckpt: ignored\n");
    ck_assert_str_eq(job.id, "007");
    ck_assert_str_eq(job.cluster, "east");
    ck_assert_int_eq(job.attempt, 2);
    ck_assert_int_eq(job.start_unix_ns, 1795254722500000000);
    ck_assert(job.n_nodes == 2 && job.nodes[0].rank == 1 && job.nodes[1].rank == 3);
    ck_assert_str_eq(job.nodes[1].node, "n3");
    ck_assert_int_eq(hc_job_op_type(&job, "fwd", 3), HC_FORWARD_COMPUTE);
    ck_assert_int_eq(hc_job_op_type(&job, "ckpt", 4), HC_OP_IGNORED);
    ck_assert_int_eq(job.dp_size, HC_MISSING_I32);
    hc_job_fini(&job);
    job = read_good("start_time: 1763718722.123456789\nnodes:\n- a\n- a\n- b\n");
    ck_assert_str_eq(job.id, "fallback");
    ck_assert_int_eq(job.start_unix_ns, 1763718722123456789);
    ck_assert(job.n_nodes == 3 && job.nodes[2].rank == 2);
    ck_assert_str_eq(job.nodes[2].node, "b");
    hc_job_fini(&job);
}
END_TEST

START_TEST(switches_are_kept_by_node)
{
    struct hc_job job = read_good("nodes: [c, c, a, a]\n"
                                  "switches: {west: [c], east: [a, b], none: []}\n");
    ck_assert_uint_eq(job.n_switches, 3);
    ck_assert_str_eq(job.switches[0], "east");
    ck_assert_str_eq(job.switches[1], "none");
    ck_assert_uint_eq(job.n_switched, 3);
    ck_assert_int_eq(hc_job_switch(&job, "a"), 0);
    ck_assert_int_eq(hc_job_switch(&job, "b"), 0);
    ck_assert_int_eq(hc_job_switch(&job, "c"), 2);
    ck_assert_int_eq(hc_job_switch(&job, "d"), -1);
    ck_assert_str_eq(hc_job_node(&job, 3), "a");
    ck_assert_ptr_null(hc_job_node(&job, 4));
    struct hc_error err = {0};
    struct hc_job copy;
    ck_assert_int_eq(hc_job_copy(&copy, &job, &err), HC_OK);
    hc_job_fini(&job);
    ck_assert_int_eq(hc_job_switch(&copy, "c"), 2);
    ck_assert_str_eq(copy.switches[2], "west");
    hc_job_fini(&copy);
}
END_TEST

START_TEST(switches_are_checked)
{
    check_refused("switches:\n  s1: [a, b]\n  s2:\n  - c\n  - a\n",
                  ": line 5: switches: node 'a' is at switch 's1' already (line 2); a node is at "
                  "one switch");
    check_refused("switches:\n  s1: [a, a]\n",
                  ": line 2: switches: node 'a' is at switch 's1' already (line 2); a node is at "
                  "one switch");
    check_refused("switches:\n  s1: [a]\n  s0: [b]\n  s1: [c]\n",
                  ": line 4: switches: 's1' is there already (line 2)");
    check_refused("switches: [a]\n", ": line 1: switches: a map from switches to lists of nodes is "
                                     "expected, not a list or map");
    check_refused("switches: {s1: a}\n",
                  ": line 1: switches: 'a' is not a list of the nodes of each switch");
    check_refused("switches: {s1: {a: b}}\n", ": line 1: switches: a list of the nodes of each "
                                              "switch is expected, not a list or map");
    check_refused("switches: {s1: [[a]]}\n",
                  ": line 1: switches: a text of 1 to 255 letters without control characters is "
                  "expected, not a list or map");
}
END_TEST

START_TEST(absent_ops_are_checked)
{
    struct hc_job job =
        read_good("absent_ops: [embedding-grads-all-reduce, optimizer-clip-main-grad]\n");
    ck_assert_uint_eq(job.absent_ops,
                      1u << HC_EMBEDDING_GRADS_ALL_REDUCE | 1u << HC_OPTIMIZER_CLIP_MAIN_GRAD);
    hc_job_fini(&job);
    check_refused("absent_ops: gc\n", ": line 1: absent_ops: 'gc' is not a list of known op types");
    check_refused("absent_ops:\n- gc\n- gc\n", ": line 3: absent_ops: 'gc' is there already");
    check_refused("absent_ops: [embeding-grads-all-reduce]\n",
                  ": line 1: absent_ops: 'embeding-grads-all-reduce' is not a known op type (did "
                  "you mean 'embedding-grads-all-reduce'?); name one");
    check_refused("absent_ops: [forward-send]\n",
                  ": line 1: absent_ops: 'forward-send' cannot be declared: without passes nothing "
                  "can be replayed, and a job with one stage has no transfers to begin with");
    check_refused("absent_ops: [ignored]\n",
                  ": line 1: absent_ops: 'ignored' is not a known op type; name one");
}
END_TEST

/* Put stderr into the file `log` until release_stderr gives it back. */
static int capture_stderr(void)
{
    fflush(stderr);
    int kept = dup(STDERR_FILENO), fd = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ck_assert(kept >= 0 && dup2(fd, STDERR_FILENO) == STDERR_FILENO);
    close(fd);
    return kept;
}

static void release_stderr(int kept)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}

START_TEST(unknown_keys_are_passed_over)
{
    int kept = capture_stderr();
    struct hc_job job = read_good("dp_sise: 3\nextra: [1, {a: [b, c]}]\nmore:\n  deep: {x: y}\n"
                                  "pp_size: 2\n");
    release_stderr(kept);
    char log[1000] = "";
    FILE *file = fopen(log_path, "r");
    ck_assert(file && fread(log, 1, sizeof log - 1, file) > 0);
    fclose(file);
    ck_assert_ptr_nonnull(
        strstr(log, "line 1: unknown key 'dp_sise' is ignored (did you mean 'dp_size'?)\n"));
    ck_assert_ptr_nonnull(strstr(log, "line 2: unknown key 'extra' is ignored\n"));
    ck_assert(job.dp_size == HC_MISSING_I32 && job.pp_size == 2);
    hc_job_fini(&job);
}
END_TEST

/* What reading text tells on stderr, with "" for nothing. */
static const char *told_of(const char *text)
{
    static char log[1000];
    int kept = capture_stderr();
    struct hc_job job = read_good(text);
    release_stderr(kept);
    FILE *file = fopen(log_path, "r");
    ck_assert_ptr_nonnull(file);
    log[fread(log, 1, sizeof log - 1, file)] = '\0';
    fclose(file);
    hc_job_fini(&job);
    return log;
}

START_TEST(names_that_may_be_misspelt_are_told)
{
    ck_assert_ptr_nonnull(strstr(told_of("nodes: [gpu-1, gpu-2]\nswitches: {s: [gpu-1, gpu2]}\n"),
                                 "node 'gpu-2' of nodes is at none of the switches, which name "
                                 "'gpu2', where no rank ran; is one of the two misspelt?\n"));
    ck_assert_str_eq(told_of("nodes: [a, b]\nswitches: {s: [a, b], t: [c, d]}\n"), "");
    ck_assert_str_eq(told_of("nodes: [a, b]\nswitches: {s: [a]}\n"), "");
    ck_assert_ptr_nonnull(strstr(told_of("dp_size: 2\nswitches:\n  s: [a]\n"),
                                 "line 3: switches say nothing without nodes, which name the node "
                                 "of each rank\n"));
}
END_TEST

START_TEST(wrong_values_are_named)
{
    check_refused("dp_size: 4\npp_size: four\n",
                  ": line 2: pp_size: 'four' is not a whole number from 1 to 2147483647");
    check_refused("dp_size: 0\n",
                  ": line 1: dp_size: '0' is not a whole number from 1 to 2147483647");
    check_refused("run_id: -1\n",
                  ": line 1: run_id: '-1' is not a whole number from 0 to 2147483647");
    check_refused("tp_size: 2147483648\n",
                  ": line 1: tp_size: '2147483648' is not a whole number from 1 to 2147483647");
    check_refused("tp_size: 1.5\n",
                  ": line 1: tp_size: '1.5' is not a whole number from 1 to 2147483647");
    check_refused("tp_size:\n", ": line 1: tp_size: '' is not a whole number from 1 to 2147483647");
    check_refused("tp_size: [1]\n", ": line 1: tp_size: a whole number from 1 to 2147483647 is "
                                    "expected, not a list or map");
    check_refused("job_id: \"a\\nb\"\n", ": line 1: job_id: 'a\\x0ab' is not a text of 1 to 255 "
                                         "letters without control characters");
    check_refused("job_id: \"a\\x9b\"\n", ": line 1: job_id: 'a\\xc2\\x9b' is not a text of 1 to "
                                          "255 letters without control characters");
    check_refused("trial_name: ~\n", ": line 1: trial_name: '~' is not a text of 1 to 255 letters "
                                     "without control characters");
    check_refused("start_time: 2026-11-21T09:52:02\n",
                  ": line 1: start_time: '2026-11-21T09:52:02' is not a time with a zone "
                  "(2026-11-21T09:52:02Z) or Unix seconds");
    check_refused("start_time: nan\n", ": line 1: start_time: 'nan' is not a time with a zone "
                                       "(2026-11-21T09:52:02Z) or Unix seconds");
}
END_TEST

START_TEST(sizes_multiply_out)
{
    check_refused("dp_size: 4\npp_size: 4\ntp_size: 2\ndsp_size: 1\nworld_size: 64\n",
                  ": line 5: world_size 64 is not dp_size 4 x pp_size 4 x tp_size 2 x dsp_size 1; "
                  "correct the one that is wrong");
    check_refused("dp_size: 2147483647\npp_size: 2147483647\ntp_size: 2147483647\n"
                  "dsp_size: 2147483647\nworld_size: 1\n",
                  ": line 5: world_size 1 is not dp_size 2147483647 x pp_size 2147483647 x tp_size "
                  "2147483647 x dsp_size 2147483647; correct the one that is wrong");
    struct hc_job job = read_good("dp_size: 4\npp_size: 4\nworld_size: 7\n");
    ck_assert_int_eq(job.world_size, 7); /* nothing to check it against */
    hc_job_fini(&job);
}
END_TEST

START_TEST(nodes_and_op_types_are_checked)
{
    check_refused("nodes: n0\n",
                  ": line 1: nodes: 'n0' is not a list of nodes, or a map from rank to node");
    check_refused("nodes:\n  0: a\n  2: b\n  0: c\n",
                  ": line 4: nodes: rank 0 is there already (line 2)");
    check_refused("nodes:\n  x: a\n", ": line 2: nodes: 'x' is not a rank from 0 to 2147483647");
    check_refused("nodes: [a, b]\nworld_size: 1\n",
                  ": line 1: nodes: rank 1 is not below world_size 1");
    check_refused("nodes: [a, [b]]\n", ": line 1: nodes: a text of 1 to 255 letters without "
                                       "control characters is expected, not a list or map");
    check_refused("op_types:\n  a: foward-compute\n",
                  ": line 2: op_types: 'foward-compute' is not a known op type (did you mean "
                  "'forward-compute'?); name one, or 'ignored'");
    check_refused("op_types:\n  a: gc\n  a: optimizer\n",
                  ": line 3: op_types: 'a' is there already");
    check_refused("op_types: gc\n",
                  ": line 1: op_types: 'gc' is not a map from names to known op types");
}
END_TEST

START_TEST(doubled_keys_are_refused)
{
    int kept = capture_stderr(); /* warnings of unknown keys */
    check_refused("dp_size: 4\ndp_size: 4\n",
                  ": line 2: key 'dp_size' is there already; remove one of the two");
    check_refused("mystery: 4\nmystery: 4\n",
                  ": line 2: key 'mystery' is there already; remove one of the two");
    release_stderr(kept);
}
END_TEST

START_TEST(what_is_no_metadata_is_refused)
{
    int kept = capture_stderr(); /* warnings of unknown keys */
    check_refused("", " has no content; 'key: value' lines are expected");
    check_refused("# nothing\n", " has no content; 'key: value' lines are expected");
    check_refused("just text\n", ": line 1: 'key: value' lines are expected, not a single value or "
                                 "a list");
    check_refused("- a\n", ": line 1: 'key: value' lines are expected, not a single value or a "
                           "list");
    check_refused("[a]: b\n", ": line 1: a list or map stands as a key");
    check_refused("dp_size: 1\n---\ndp_size: 1\n",
                  ": line 2: a second document begins; only one is allowed");
    check_refused("dp_size: &x 1\n", ": line 1: anchors and aliases ('&', '*') are not allowed "
                                     "here; write the value out, or put it in quotes");
    check_refused("dp_size: 1\npp_size: *x\n",
                  ": line 2: anchors and aliases ('&', '*') are not allowed here; write the value "
                  "out, or put it in quotes");
    check_refused("cluster: \"a\\0b\"\n", ": line 1: 'a\\x00b' holds a NUL character");
    check_malformed("dp_sizes: [1, 2\n", 16, "line 2: malformed YAML: ");
    check_malformed("dp_size: 1\n\tpp_size: 2\n", 23, "line 2: malformed YAML: ");
    check_malformed("dp_size: 1\0\n", 12, "this is no YAML text: ");
    check_malformed("dp_size: \xff\n", 11, "this is no YAML text: ");
    release_stderr(kept);
}
END_TEST

START_TEST(depth_keys_and_size_are_bounded)
{
    int kept = capture_stderr(); /* warnings of unknown keys */
    char deep[200] = "x: ";
    memset(deep + 3, '[', 100);
    memset(deep + 103, ']', 90);
    check_refused(deep, ": line 1: lists and maps nested deeper than 16");
    char many[8192];
    size_t used = 0;
    for (int i = 0; i < 300; i++)
        used += (size_t)sprintf(many + used, "some-thing-%d: 1\n", i);
    check_refused(many, ": line 33: more than 32 unknown keys; this is no metadata file");
    ck_assert_int_eq(truncate(path, ((off_t)64 << 20) + 1), 0);
    struct hc_error err = {0};
    struct hc_job job;
    ck_assert_int_eq(hc_metadata_read(&job, path, "j", &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "has more than 67108864 bytes"));
    ck_assert_int_eq(hc_metadata_read(&job, "/no/such", "j", &err), HC_IO);
    release_stderr(kept);
}
END_TEST

static void check_id(const char *trace, const char *expected)
{
    struct hc_error err = {0};
    char *id = NULL;
    ck_assert(hc_job_id_of_path(trace, &id, &err) == HC_OK);
    ck_assert_str_eq(id, expected);
    free(id);
}

START_TEST(ids_come_from_names)
{
    check_id("trace-AR.csv.gz", "AR");
    check_id("a/b.c/trace-AR.parquet", "AR");
    check_id("x.parquet", "x");
    check_id("my.job.CSV.ZST", "my.job");
    check_id("trace-.csv", "trace-");
    check_id("trace-AR", "AR");
    check_id("data", "data");
    check_id(".csv", ".csv");
    check_id("-", "stdin");
    check_id("dir/", "stdin");
}
END_TEST

static void check_beside(const char *trace, const char *expected)
{
    struct hc_error err = {0};
    char full[160], *beside = NULL;
    snprintf(full, sizeof full, "%s%s", directory, trace);
    ck_assert(hc_metadata_beside(full, &beside, &err) == HC_OK);
    ck_assert_pstr_eq(beside, expected);
    free(beside);
}

START_TEST(metadata_is_found_beside_its_trace)
{
    fclose(fopen(other, "w"));
    check_beside("/trace-AR.parquet", other);
    check_beside("/trace-AR.csv", other);
    check_beside("/trace-AR.csv.gz", other);
    check_beside("/trace-AR", other);
    check_beside("/trace-ST.csv", NULL);
    check_beside("/AR.csv", other); /* as synth steps -o AR.csv writes it */
    check_beside("/ST.csv", NULL);
    struct hc_error err = {0};
    char *beside = NULL;
    ck_assert(hc_metadata_beside("-", &beside, &err) == HC_OK && !beside);
}
END_TEST

static void read_job(const char *trace, int32_t world_size)
{
    struct hc_error err = {0};
    struct hc_job job;
    char *beside = NULL;
    ck_assert(hc_metadata_beside(trace, &beside, &err) == HC_OK);
    ck_assert_msg(beside != NULL, "no metadata beside '%s'", trace);
    ck_assert_msg(hc_metadata_read(&job, beside, "?", &err) == HC_OK, "%s", err.message);
    char *id = NULL;
    ck_assert(hc_job_id_of_path(trace, &id, &err) == HC_OK);
    ck_assert_str_eq(job.id, id);
    ck_assert_int_eq(job.world_size, world_size);
    free(id);
    free(beside);
    hc_job_fini(&job);
}

START_TEST(reads_every_fixture)
{
    static const struct {
        const char *name;
        int32_t world_size;
    } fixtures[] = {{"absts", 8}, {"clamp", 8}, {"dp1", 4}, {"launch", 16},
                    {"noop1", 8}, {"ovlp", 16}, {"pp1", 4}, {"vpp2", 8}};
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        char trace[128];
        snprintf(trace, sizeof trace, "tests/fixtures/straggler/trace-%s.csv", fixtures[i].name);
        read_job(trace, fixtures[i].world_size);
    }
}
END_TEST

int main(void)
{
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/m.yaml", directory);
    snprintf(log_path, sizeof log_path, "%s/log", directory);
    snprintf(other, sizeof other, "%s/meta-AR.yaml", directory);
    Suite *suite = suite_create("metadata");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, reads_the_keys_of_the_artifact);
    tcase_add_test(tcase, reads_our_keys);
    tcase_add_test(tcase, switches_are_kept_by_node);
    tcase_add_test(tcase, switches_are_checked);
    tcase_add_test(tcase, names_that_may_be_misspelt_are_told);
    tcase_add_test(tcase, absent_ops_are_checked);
    tcase_add_test(tcase, unknown_keys_are_passed_over);
    tcase_add_test(tcase, wrong_values_are_named);
    tcase_add_test(tcase, sizes_multiply_out);
    tcase_add_test(tcase, nodes_and_op_types_are_checked);
    tcase_add_test(tcase, doubled_keys_are_refused);
    tcase_add_test(tcase, what_is_no_metadata_is_refused);
    tcase_add_test(tcase, depth_keys_and_size_are_bounded);
    tcase_add_test(tcase, ids_come_from_names);
    tcase_add_test(tcase, metadata_is_found_beside_its_trace);
    tcase_add_test(tcase, reads_every_fixture);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    unlink(path);
    unlink(other);
    unlink(log_path);
    rmdir(directory);
    return failed != 0;
}
