/* One table of fields as JSON, as CSV, as pairs, stored, and read back. */
#include "core/base/missing.h"
#include "core/tables/record.h"
#include "pipeline/records/record_read.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* ---- what is described ---- */

enum colour { RED, GREEN, BLUE, N_COLOURS };

struct interval {
    double low, high;
};

struct wheel {
    char name[8];
    double slip;
};

struct car {
    const char *maker;
    char plate[12];
    int32_t doors;
    int64_t mileage;
    size_t n_wheels;
    double weight_t, load_t;
    bool is_new;
    enum colour colour;
    uint32_t stripes;
    struct interval price;
    const struct interval *rent;
    struct wheel wheels[4];
    size_t n_trips;
    const double *trips;
    size_t n_marks;
    int32_t marks[3];
};

static const char *colour_name(int value)
{
    static const char *const names[N_COLOURS] = {"red", "green", "blue"};
    return names[value];
}

static double total_of(const struct hc_item *at)
{
    const struct car *car = at->record;
    return car->weight_t + car->load_t;
}

static const char *label_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    snprintf(room, HC_CELL_ROOM, "no. %zu", at->index);
    return room;
}

/* From a place inside the list of wheels to the car around it. */
static const char *car_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct car *car = at->parent->record;
    (void)room;
    return car->plate;
}

static bool has_trips(const struct hc_item *at)
{
    const struct car *car = at->record;
    return car->n_trips > 0;
}

static bool is_new(const struct hc_item *at)
{
    return ((const struct car *)at->record)->is_new;
}

static size_t count_cars(const struct hc_item *at)
{
    (void)at;
    return 3;
}

/* The second of three cars is left out. */
static const void *car_at(const struct hc_item *at, size_t i)
{
    return i == 1 ? NULL : (const struct car *)at->record + i;
}

static const struct hc_field interval_fields[] = {
    HC_FIELD(struct interval, "low", low, "EUR", "lower end"),
    HC_FIELD(struct interval, "high", high, "EUR", "upper end"),
};
static const struct hc_record_def interval_def = HC_RECORD("an interval", interval_fields);

static const struct hc_field wheel_fields[] = {
    HC_FIELD(struct wheel, "name", name, "", "where it is"),
    HC_FIELD(struct wheel, "slip", slip, "", "share of the way"),
};
static const struct hc_record_def wheel_def = HC_RECORD(NULL, wheel_fields);

static const struct hc_field known_wheel_fields[] = {
    HC_TEXT_OF("car", car_of, "whose"),
    HC_FIELD(struct wheel, "slip", slip, "", "share of the way"),
};
static const struct hc_record_def known_wheel_def = HC_RECORD(NULL, known_wheel_fields);

static const struct hc_field size_fields[] = {
    HC_FIELD(struct car, "doors", doors, "", "doors", .rules = HC_NULL_BELOW_1),
    HC_FIELD(struct car, "weight_t", weight_t, "t", "empty"),
};
static const struct hc_record_def size_def = HC_RECORD(NULL, size_fields);

#define FIELD(...) HC_FIELD(struct car, __VA_ARGS__)
static const struct hc_field car_fields[] = {
    HC_TEXT_OF("label", label_of, "its place"),
    FIELD("maker", maker, "", "who made it"),
    FIELD("plate", plate, "", "on it", .rules = HC_NULL_IF_EMPTY),
    HC_GROUP("sizes", &size_def, "how large", .rules = HC_LINE),
    FIELD("mileage", mileage, "km", "on the clock", .rules = HC_NOT_STORED),
    FIELD("km", mileage, "km", "on the clock", .rules = HC_ONLY_STORED),
    HC_REAL_OF("total_t", total_of, "t", "with load"),
    FIELD("load_t", load_t, "t", "load", .rules = HC_NOT_STORED),
    FIELD("is_new", is_new, "", "from the shop", .rules = HC_ONLY_CSV),
    HC_NAME(struct car, "colour", colour, colour_name, N_COLOURS, "of the paint"),
    HC_NAMES(struct car, "stripes", stripes, colour_name, N_COLOURS, "on it", .has = is_new,
             .rules = HC_EMPTY_IF_NOT),
    HC_OBJECT(struct car, "price", price, &interval_def, "asked for", .rules = HC_LINE),
    HC_OBJECT_BEHIND(struct car, "rent", rent, &interval_def, "a day"),
    HC_LIST_IN(struct car, "wheels", wheels, n_wheels, &known_wheel_def, "of those it has",
               .rules = HC_LINE | HC_NOT_STORED),
    HC_LIST(struct car, "trips", trips, n_trips, &hc_real_items, "lengths", .rules = HC_LINE,
            .has = has_trips),
    HC_LIST_IN(struct car, "marks", marks, n_marks, &hc_i32_items, "of inspections"),
    HC_MAP_IN(struct car, "slips", wheels, n_wheels, &wheel_def, "by wheel",
              .rules = HC_ONLY_STORED),
};
static const struct hc_record_def car_def = HC_RECORD("a car", car_fields);

static const struct hc_field fleet_fields[] = {
    HC_LIST_OF("cars", count_cars, car_at, &car_def, "all of them"),
};
static const struct hc_record_def fleet_def = HC_RECORD(NULL, fleet_fields);

static const double trips[] = {1.5, NAN};
static const struct interval rent = {20, 30};

static struct car new_car(void)
{
    return (struct car){
        .maker = "a, \"b\"",
        .plate = "X-1",
        .doors = 4,
        .mileage = 120,
        .n_wheels = 2,
        .weight_t = 1.5,
        .load_t = 0.5,
        .is_new = true,
        .colour = BLUE,
        .stripes = 1U << RED | 1U << GREEN,
        .price = {1000, NAN},
        .rent = &rent,
        .wheels = {{"left", 0.25}, {"right", 0.5}},
        .n_trips = 2,
        .trips = trips,
        .n_marks = 2,
        .marks = {7, HC_MISSING_I32},
    };
}

/* Nothing is known of it. */
static struct car old_car(void)
{
    return (struct car){.mileage = HC_MISSING_I64, .weight_t = NAN, .stripes = 7};
}

/* ---- JSON ---- */

typedef void writer(struct hc_json_writer *, const struct hc_record_def *, const struct hc_item *);

static char *json_of(writer *write, const struct hc_record_def *def, const void *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_json_writer json;
    hc_json_start(&json, stream, 1);
    hc_json_object(&json, NULL);
    write(&json, def, &(struct hc_item){.record = record});
    hc_json_end(&json);
    ck_assert_int_eq(hc_json_finish(&json, "memory", &err), HC_OK);
    fclose(stream);
    return text;
}

START_TEST(writes_json)
{
    struct car car = new_car();
    char *text = json_of(hc_record_members, &car_def, &car);
    ck_assert_str_eq(text, "{\n"
                           " \"label\": \"no. 0\",\n"
                           " \"maker\": \"a, \\\"b\\\"\",\n"
                           " \"plate\": \"X-1\",\n"
                           " \"sizes\": {\"doors\": 4, \"weight_t\": 1.5},\n"
                           " \"mileage\": 120,\n"
                           " \"total_t\": 2.0,\n"
                           " \"load_t\": 0.5,\n"
                           " \"colour\": \"blue\",\n"
                           " \"stripes\": [\"red\", \"green\"],\n"
                           " \"price\": {\"low\": 1000.0, \"high\": null},\n"
                           " \"rent\": {\n  \"low\": 20.0,\n  \"high\": 30.0\n },\n"
                           " \"wheels\": [\n"
                           "  {\"car\": \"X-1\", \"slip\": 0.25},\n"
                           "  {\"car\": \"X-1\", \"slip\": 0.5}\n ],\n"
                           " \"trips\": [1.5, null],\n"
                           " \"marks\": [\n  7,\n  null\n ]\n"
                           "}");
    free(text);
}
END_TEST

/* Null by rule, by has(), and by value; a set that is empty rather than null. */
START_TEST(writes_what_is_missing)
{
    struct car car = old_car();
    char *text = json_of(hc_record_members, &car_def, &car);
    json_t *object = json_loads(text, 0, NULL);
    const char *const nulls[] = {"maker", "plate", "mileage", "total_t", "rent", "trips"};
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        ck_assert_msg(json_is_null(json_object_get(object, nulls[i])), "%s", nulls[i]);
    ck_assert(json_is_null(json_object_get(json_object_get(object, "sizes"), "doors")));
    ck_assert_uint_eq(json_array_size(json_object_get(object, "stripes")), 0);
    ck_assert_ptr_null(json_object_get(object, "is_new"));
    json_decref(object);
    free(text);
}
END_TEST

START_TEST(leaves_items_out)
{
    struct car cars[3] = {new_car(), new_car(), new_car()};
    char *text = json_of(hc_record_members, &fleet_def, cars);
    json_t *object = json_loads(text, 0, NULL), *list = json_object_get(object, "cars");
    ck_assert_uint_eq(json_array_size(list), 2);
    json_t *second = json_object_get(json_array_get(list, 1), "label");
    ck_assert_str_eq(json_string_value(second), "no. 2"); /* its place is that in the list */
    json_decref(object);
    free(text);
}
END_TEST

/* ---- stored and read back ---- */

START_TEST(reads_back)
{
    struct car car = new_car(), back = {.maker = "kept"};
    char *text = json_of(hc_record_store, &car_def, &car);
    json_t *object = json_loads(text, 0, NULL);
    ck_assert_ptr_null(json_object_get(object, "label"));
    ck_assert_ptr_null(json_object_get(object, "load_t"));
    ck_assert_ptr_nonnull(json_object_get(object, "km"));
    ck_assert_int_eq(hc_record_read(&car_def, object, &back, &err), HC_OK);
    ck_assert_str_eq(back.maker, "kept");
    ck_assert_str_eq(back.plate, "X-1");
    ck_assert_int_eq(back.mileage, 120);
    ck_assert_int_eq(back.colour, BLUE);
    ck_assert_uint_eq(back.stripes, car.stripes);
    ck_assert(back.price.low == 1000 && isnan(back.price.high));
    ck_assert_uint_eq(back.n_wheels, 2);
    ck_assert_str_eq(back.wheels[1].name, "right");
    ck_assert_double_eq(back.wheels[1].slip, 0.5);
    ck_assert(back.n_marks == 2 && back.marks[0] == 7 && back.marks[1] == HC_MISSING_I32);
    json_decref(object);
    free(text);
}
END_TEST

/* What readers do not see is stored all the same: rules and has() are for them. */
START_TEST(stores_every_value)
{
    struct car car = old_car(), back = {0};
    char *text = json_of(hc_record_store, &car_def, &car);
    json_t *object = json_loads(text, 0, NULL);
    ck_assert_int_eq(hc_record_read(&car_def, object, &back, &err), HC_OK);
    ck_assert_uint_eq(back.stripes, 7);
    ck_assert_int_eq(back.mileage, HC_MISSING_I64);
    ck_assert_str_eq(back.plate, "");
    json_decref(object);
    free(text);
}
END_TEST

/* Each member that is read back is missed by its name, and refused when it is of another type. */
START_TEST(refuses_other_members)
{
    static const char *const keys[] = {"plate",   "sizes", "km",    "colour",
                                       "stripes", "price", "marks", "slips"};
    struct car car = new_car(), back;
    char *text = json_of(hc_record_store, &car_def, &car);
    json_t *object = json_loads(text, 0, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *copy = json_deep_copy(object);
        ck_assert_int_eq(json_object_del(copy, keys[i]), 0);
        ck_assert_int_eq(hc_record_read(&car_def, copy, &back, &err), HC_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.message, keys[i]));
        ck_assert_ptr_nonnull(strstr(err.message, "a car"));
        json_object_set_new(copy, keys[i], json_true());
        ck_assert_int_eq(hc_record_read(&car_def, copy, &back, &err), HC_BAD_INPUT);
        json_decref(copy);
    }
    json_decref(object);
    free(text);
}
END_TEST

static void refuse(const char *key, const char *value)
{
    struct car car = new_car(), back;
    char *text = json_of(hc_record_store, &car_def, &car);
    json_t *object = json_loads(text, 0, NULL);
    json_object_set_new(object, key, json_loads(value, JSON_DECODE_ANY, NULL));
    ck_assert_msg(hc_record_read(&car_def, object, &back, &err) == HC_BAD_INPUT, "%s", value);
    json_decref(object);
    free(text);
}

/* More than the record holds. */
START_TEST(refuses_what_does_not_fit)
{
    refuse("plate", "\"123456789012\"");
    refuse("marks", "[1, 2, 3, 4]");
    refuse("marks", "[3000000000]");
    refuse("slips", "{\"a\": 1, \"b\": 1, \"c\": 1, \"d\": 1, \"e\": 1}");
    refuse("slips", "{\"much too long\": 1}");
    refuse("colour", "\"mauve\"");
    refuse("stripes", "[\"mauve\"]");
}
END_TEST

/* ---- CSV ---- */

START_TEST(writes_csv)
{
    struct car cars[] = {new_car(), old_car()};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &car_def,
                        "maker,new=is_new,doors=sizes.doors,price_low=price.low,"
                        "rent_high=rent.high,stripes,marks,total_t",
                        NULL);
    for (size_t i = 0; i < 2; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&cars[i], i, NULL});
    fclose(stream);
    ck_assert_str_eq(text, "maker,new,doors,price_low,rent_high,stripes,marks,total_t\n"
                           "\"a, \"\"b\"\"\",true,4,1000.0,30.0,red green,\"7 \",2.0\n"
                           ",false,,0.0,,,,\n");
    free(text);
}
END_TEST

START_TEST(writes_pairs)
{
    struct car car = new_car();
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_record_csv_pairs(stream, &car_def, "plate,km=mileage,low=price.low",
                        &(struct hc_item){.record = &car});
    fclose(stream);
    ck_assert_str_eq(text, "plate,X-1,\nkm,120,km\nlow,1000.0,EUR\n");
    free(text);
}
END_TEST

/* ---- columns of a structure of arrays ---- */

struct steps {
    size_t n;
    const int32_t *step;
    const double *slowdown; /* NULL: not known */
};

static size_t count_steps(const struct hc_item *at)
{
    return ((const struct steps *)at->record)->n;
}

static const void *step_at(const struct hc_item *at, size_t i)
{
    (void)i;
    return at->record;
}

static const struct hc_field step_fields[] = {
    HC_COLUMN(struct steps, "step", step, "", "number"),
    HC_COLUMN(struct steps, "slowdown", slowdown, "", "S"),
};
static const struct hc_record_def step_def = HC_RECORD(NULL, step_fields);
static const struct hc_field steps_fields[] = {
    HC_LIST_OF("steps", count_steps, step_at, &step_def, "all", .rules = HC_LINE)};
static const struct hc_record_def steps_def = HC_RECORD(NULL, steps_fields);

START_TEST(reads_by_index)
{
    struct steps steps = {2, (const int32_t[]){4, 9}, NULL};
    char *text = json_of(hc_record_members, &steps_def, &steps);
    ck_assert_str_eq(text, "{\n \"steps\": [\n  {\"step\": 4, \"slowdown\": null},\n"
                           "  {\"step\": 9, \"slowdown\": null}\n ]\n}");
    free(text);
}
END_TEST

/* ---- keys and members that data decide on ---- */

struct bay {
    double length;
    struct interval hours[2]; /* for each kind of work of the street */
};
struct garage {
    const char *name;
    size_t n_bays;
    struct bay bay[2];
};
struct street {
    size_t n_garages, n_works;
    struct garage garage[2];
    const char *work[2];
    bool is_private;
    double toll;
};

HC_GIVES(size_t, count_works, ((const struct street *)hc_item_root(at))->n_works)
HC_GIVES_TEXT(work_of, ((const struct street *)hc_item_root(at))->work[at->index])
HC_GIVES_ITEM(hours_at, &HC_OF(struct bay, at)->hours[i])
HC_GIVES_TEXT(garage_of, HC_OF(struct garage, at->parent)->name)

/* m, or a word */
static void put_length(const struct hc_item *at, struct hc_cell *cell)
{
    double length = HC_OF(struct bay, at)->length;
    if (length > 10)
        hc_cell_set_text(cell, "long");
    else
        hc_cell_set_real(cell, length);
}

static const struct hc_field work_fields[] = {
    HC_TEXT_OF("work", work_of, "what is done"),
    HC_GROUP("hours", &interval_def, "a day", .rules = HC_LINE),
};
static const struct hc_record_def work_def = HC_RECORD(NULL, work_fields);

static const struct hc_field bay_fields[] = {
    HC_TEXT_OF("garage", garage_of, "it is in", .rules = HC_ONLY_CSV),
    HC_CELL_OF("length", put_length, "m, or a word"),
    HC_MAP_OF(NULL, count_works, hours_at, &work_def, "by work"),
    HC_MAP_OF("hours", count_works, hours_at, &work_def, "by work", .rules = HC_ONLY_CSV),
};
static const struct hc_record_def bay_def = HC_RECORD(NULL, bay_fields);

static const struct hc_field garage_fields[] = {
    HC_LIST_IN(struct garage, "bays", bay, n_bays, &bay_def, "its bays"),
};
static const struct hc_record_def garage_def = HC_RECORD(NULL, garage_fields);

static const struct hc_field toll_fields[] = {
    HC_FIELD(struct street, "toll", toll, "EUR", "of a car"),
    HC_LIST_IN(struct street, "garages", garage, n_garages, &garage_def, "along it"),
};
static const struct hc_record_def toll_def = HC_RECORD(NULL, toll_fields);

static const struct hc_record_def *toll_of(const void *root)
{
    return ((const struct street *)root)->is_private ? &toll_def : NULL;
}

static const struct hc_field street_fields[] = {HC_PART_CHOSEN(toll_of, "of a private street")};
static const struct hc_record_def street_def = HC_RECORD(NULL, street_fields);

static struct street new_street(void)
{
    return (struct street){.n_garages = 2,
                           .n_works = 2,
                           .work = {"oil", "tyres"},
                           .garage = {{"a", 2, {{4.5, {{1, 2}, {3, 4}}}, {12, {{5, 6}, {7, 8}}}}},
                                      {"b", 1, {{5, {{9, NAN}, {1, 1}}}}}},
                           .is_private = true,
                           .toll = 3};
}

START_TEST(data_decide_on_members)
{
    struct street street = new_street();
    street.n_garages = 1;
    char *text = json_of(hc_record_members, &street_def, &street);
    ck_assert_str_eq(text, "{\n \"toll\": 3.0,\n \"garages\": [\n  {\n   \"bays\": [\n"
                           "    {\n     \"length\": 4.5,\n"
                           "     \"oil\": {\"low\": 1.0, \"high\": 2.0},\n"
                           "     \"tyres\": {\"low\": 3.0, \"high\": 4.0}\n    },\n"
                           "    {\n     \"length\": \"long\",\n"
                           "     \"oil\": {\"low\": 5.0, \"high\": 6.0},\n"
                           "     \"tyres\": {\"low\": 7.0, \"high\": 8.0}\n    }\n"
                           "   ]\n  }\n ]\n}");
    free(text);
    street.is_private = false;
    text = json_of(hc_record_members, &street_def, &street);
    ck_assert_str_eq(text, "{}");
    free(text);
}
END_TEST

static void check_table(const struct street *street, const char *expected)
{
    static const struct hc_record_table table = {"garages.bays", "garage,hours,length"};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_record_csv_table(stream, &street_def, &table, &(struct hc_item){.record = street});
    fclose(stream);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* Through lists, with columns that the data name; these are there also without rows. */
START_TEST(writes_a_whole_table)
{
    struct street street = new_street();
    check_table(&street, "garage,oil,oil_high,tyres,tyres_high,length\n"
                         "a,1.0,2.0,3.0,4.0,4.5\na,5.0,6.0,7.0,8.0,long\n"
                         "b,9.0,,1.0,1.0,5.0\n");
    street.n_garages = 0;
    check_table(&street, "garage,oil,oil_high,tyres,tyres_high,length\n");
    street.n_works = 0;
    check_table(&street, "garage,length\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("record");
    tcase_add_test(tests, writes_json);
    tcase_add_test(tests, writes_what_is_missing);
    tcase_add_test(tests, leaves_items_out);
    tcase_add_test(tests, reads_back);
    tcase_add_test(tests, stores_every_value);
    tcase_add_test(tests, refuses_other_members);
    tcase_add_test(tests, refuses_what_does_not_fit);
    tcase_add_test(tests, writes_csv);
    tcase_add_test(tests, writes_pairs);
    tcase_add_test(tests, reads_by_index);
    tcase_add_test(tests, data_decide_on_members);
    tcase_add_test(tests, writes_a_whole_table);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
