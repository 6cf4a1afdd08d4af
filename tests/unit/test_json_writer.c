#include "core/tables/table.h"
#include "core/text/json_writer.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *written_text(const char *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_json_writer json;
    struct hc_error err;
    hc_json_start(&json, stream, 1);
    hc_json_array_line(&json, NULL);
    hc_json_text(&json, NULL, value);
    hc_json_end(&json);
    ck_assert_int_eq(hc_json_finish(&json, "memory", &err), HC_OK);
    fclose(stream);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root != NULL, "not JSON: %s", text);
    free(text);
    return root;
}

/* Any bytes give text that a strict reader takes, and UTF-8 comes through as it is. */
START_TEST(writes_any_bytes)
{
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        char bytes[9] = "";
        for (int i = 0; i < 8; i++) {
            static const unsigned char edges[] = {0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED,
                                                  0xF0, 0xF4, 0xF5, 0x9F, 0xA0, 0x90};
            int value = rand_r(&seed);
            bytes[i] = (char)(value & 1 ? edges[(value >> 8) % 12] : 1 + (value >> 8) % 255);
        }
        json_t *check = json_string(bytes), *root = written_text(bytes);
        if (check)
            ck_assert_str_eq(json_string_value(json_array_get(root, 0)), bytes);
        json_decref(check);
        json_decref(root);
    }
}
END_TEST

START_TEST(lays_out_containers)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_json_writer json;
    struct hc_error err;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_object(&json, "empty");
    hc_json_end(&json);
    hc_json_array_line(&json, "line");
    hc_json_real(&json, NULL, 1);
    hc_json_i32(&json, NULL, HC_MISSING_I32);
    hc_json_bool(&json, NULL, false);
    hc_json_end(&json);
    hc_json_array(&json, "lines");
    hc_json_i64(&json, NULL, -1);
    hc_json_i64(&json, NULL, HC_MISSING_I64);
    hc_json_end(&json);
    hc_json_end(&json);
    ck_assert_int_eq(hc_json_finish(&json, "memory", &err), HC_OK);
    fclose(stream);
    ck_assert_str_eq(text, "{\n  \"empty\": {},\n  \"line\": [1.0, null, false],\n"
                           "  \"lines\": [\n    -1,\n    null\n  ]\n}");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_writer");
    TCase *tests = tcase_create("json_writer");
    tcase_add_test(tests, writes_any_bytes);
    tcase_add_test(tests, lays_out_containers);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
