/* h5py reads what a segment holds, value by value. Exit 77 where h5py is not installed. */
#include "tests/support/mixed_table.h"

START_TEST(h5py_reads_the_same)
{
    static const char *const program =
        "import sys, h5py, numpy\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "assert f.attrs['schema'] == b'hindcast-segment', f.attrs['schema']\n"
        "for name, kind, missing in (('id', '<i4', -2**31), ('kind', '<i4', -2**31),\n"
        "                            ('time', '<i8', -2**63), ('value', '<f8', None)):\n"
        "    d = f['mixed'][name]\n"
        "    want = numpy.fromfile(sys.argv[1] + '.' + name, dtype=kind)\n"
        "    assert d.dtype == kind and d.shape == want.shape\n"
        "    assert numpy.array_equal(d[:].view('u1'), want.view('u1')), name\n"
        "    assert d.shuffle and d.fletcher32 and d.compression == 'gzip'\n"
        "    assert missing is None or (d.fillvalue == missing and d.attrs['missing'] == missing)\n"
        "    assert len(d.attrs['description']) > 3\n"
        "assert f['mixed/time'].attrs['unit'] == b'ns'\n"
        "assert f['mixed/kind'].attrs['dictionary'] == b'op_type'\n"
        "assert f['dictionaries/op_type'][4] == b'forward-compute'\n"
        "assert f['job'].attrs['id'] == b'AR' and f['job'].attrs['dp_size'] == 4\n"
        "assert f['dictionaries/node'][f['job/nodes/node'][9]] == b'node-19'\n"
        "assert f['provenance'].attrs['bad_duplicate'] == 3\n";
    char command[4096];
    char *path = join(scratch, "py.h5"), *script = join(scratch, "read.py");
    struct hc_table table = {0};
    ASSERT_OK(hc_table_init(&table, &mixed_def, 300000, &err));
    fill_mixed(&table, 300000);
    write_in_batches(path, &table);
    for (size_t c = 0; c < mixed_def.n_columns; c++) {
        snprintf(command, sizeof command, "%s.%s", path, mixed_columns[c].name);
        write_bytes(command, table.column[c], 300000 * hc_type_size(mixed_columns[c].type));
    }
    write_bytes(script, program, strlen(program));
    snprintf(command, sizeof command, "/usr/bin/python3 '%s' '%s'", script, path);
    ck_assert_int_eq(system(command), 0);
    hc_table_fini(&table);
    free(script);
    free(path);
}
END_TEST

int main(void)
{
    if (system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") != 0) {
        printf("skipped: h5py is not installed\n");
        return 77;
    }
    seed = 4711;
    scratch = make_scratch();
    Suite *suite = suite_create("segment_h5py");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, h5py_reads_the_same);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
