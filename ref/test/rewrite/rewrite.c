/*
 * rewrite.c - equivalent programs: the rules of rewriting, one after the other, on a
 * copy of a program.
 */
#include "rewriter.h"

/* Lists before names, which are read as the program has them. */
static bool apply_rules(ep_rewriter *rewriter, unsigned what) {
    const unsigned names = EP_REWRITE_VALUES | EP_REWRITE_SUBGRAPHS | EP_REWRITE_NODES;
    TRY((what & EP_REWRITE_PROVENANCE) == 0 || ep_rewriter_provenance(rewriter));
    TRY((what & EP_REWRITE_ORDER) == 0 || ep_rewriter_order(rewriter));
    TRY((what & EP_REWRITE_SPECS) == 0 || ep_rewriter_specs(rewriter));
    TRY((what & EP_REWRITE_DICTS) == 0 || ep_rewriter_dicts(rewriter));
    TRY((what & EP_REWRITE_GUARDS) == 0 || ep_rewriter_guards(rewriter));
    TRY((what & EP_REWRITE_MODULES) == 0 || ep_rewriter_modules(rewriter));
    TRY((what & (EP_REWRITE_SYMBOLS | EP_REWRITE_TERMS)) == 0 ||
        ep_rewriter_expressions(rewriter, what));
    return (what & names) == 0 || ep_rewriter_rename(rewriter, what);
}

bool ep_rewrite_equivalent(const ep_program *program, ep_arena *arena,
                           const ep_rewrite_choice *wish, ep_built *built, ep_error *error) {
    ep_rewriter rewriter;
    *built = (ep_built){{NULL, 0}, NULL};
    bool ok = ep_rewriter_open(&rewriter, program, arena, wish->seed) &&
              apply_rules(&rewriter, wish->what);
    ok = ok ? ep_rewriter_finish(&rewriter, built, error) : ep_error_plain(error, rewriter.c.code);
    ep_rewriter_close(&rewriter);
    return ok;
}
