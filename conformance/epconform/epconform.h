/*
 * epconform.h - the commands of epconform. Each takes its part of the command
 * line, argv[0] being its own name, and returns the exit status.
 */
#ifndef EPCONFORM_H
#define EPCONFORM_H

enum {
    STATUS_GOOD = 0,
    STATUS_FAILURES = 1, /* an unexpected failure, or a stale expected one */
    STATUS_USAGE = 2,
    STATUS_TROUBLE = 3,       /* input, output, a testee that cannot be run, an interrupt */
    STATUS_NOT_INSTALLED = 77 /* the testee is not there */
};

int run_main(char **argv);
int list_main(char **argv);
int show_main(char **argv);
int lint_main(char **argv);
int init_main(char **argv);
int report_main(char **argv);

#endif
