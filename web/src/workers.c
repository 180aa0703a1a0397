/*
 * workers.c - the command's workers.h where there is one process: it does the pieces itself.
 */
#include "cli/workers.h"

bool workers_run(const workers_job *job, size_t processes, size_t *next) {
    buffer product = {0};
    bool wanted = processes > 0;
    size_t i = 0;
    for (; wanted && i < job->count; i++) {
        buffer_clear(&product);
        status result = job->work(job->context, i, &product);
        wanted = job->take(job->context, i, result, &product, false);
    }
    buffer_free(&product);
    *next = i;
    return processes > 0;
}

size_t workers_processors(void) {
    return 1;
}
