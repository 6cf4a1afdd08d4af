#include "models/fit/fit_records.h"

#include <stdlib.h>

void hc_fit_records_fini(struct hc_fit_records *records)
{
    hc_text_set_fini(&records->causes);
    hc_text_set_fini(&records->nodes);
    free(records->strikes);
    free(records->uses);
    free(records->sizes);
    free(records->day_use_days);
    free(records->stops);
    free(records->starts);
    free(records->runs);
    free(records->steps.seconds);
    free(records->steps.iterations);
    free(records->stalls);
    free(records->phases);
    free(records->repairs);
    *records = (struct hc_fit_records){.n_strikes = 0};
}
