/*
 * report.h - the command `epconform report`: makes one HTML file, which shows
 * what testees made of the suite, of the results that `run` has written.
 */
#ifndef EPCONFORM_REPORT_H
#define EPCONFORM_REPORT_H

/* Runs the command; argv[0] is its name, `report`. Returns the exit status: 0
 * the page is written, 2 usage, 3 input that cannot be read or that contradicts
 * the suite, or output that cannot be written. */
int report_main(int argc, char **argv);

#endif
