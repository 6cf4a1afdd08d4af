#include "parsers/incidents/incident_csv.h"

static enum hc_status check_cut(const struct hc_incident_csv *csv,
                                const struct hc_csv_record *record, struct hc_error *err)
{
    if (record->ended)
        return HC_OK;
    if (csv->builder.is_bad)
        return hc_csv_fail_cut(csv->scanner, record, csv->n_columns, err);
    hc_csv_warn_open_end(csv->scanner, record);
    return HC_OK;
}

enum hc_status hc_incident_csv_read(struct hc_incident_builder *builder, struct hc_error *err)
{
    struct hc_incident_csv *csv = (struct hc_incident_csv *)builder;
    struct hc_csv_record record;
    if (hc_csv_next(csv->scanner, &record, err))
        return err->status;
    builder->at_end = record.n_fields == 0;
    if (!builder->at_end && (csv->take(csv, &record, err) || check_cut(csv, &record, err)))
        return err->status;
    return HC_OK;
}

int64_t hc_incident_csv_position(const void *parser)
{
    const struct hc_incident_csv *csv = parser;
    return hc_csv_position(csv->scanner);
}
