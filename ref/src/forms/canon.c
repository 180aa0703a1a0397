/*
 * forms/canon.c - ep_canon. Its options choose the canonical form: epref's own (canon)
 * or PyTorch's (canon_torch). Neither depends on the other.
 */
#include "canon/canon.h"
#include "canon_torch/canon_torch.h"

EP_API bool ep_canon(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                     ep_built *built, ep_error *error) {
    if (built != NULL) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (program == NULL || arena == NULL || options == NULL || built == NULL) {
        return ep_error_plain(error, EP_ARGUMENT);
    }
    return options->form == EP_CANON_TORCH ? ep_canon_torch(program, arena, options, built, error)
                                           : ep_canon_epref(program, arena, options, built, error);
}
