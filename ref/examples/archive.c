/*
 * archive.c - judges an archive, and lists the tensors of its programs: the name, the type,
 * the sizes, and where the elements lie in the file.
 *
 *     cc archive.c $(pkg-config --cflags --libs epref_archive) -o archive
 *     ./archive model.pt2
 */
#include <epref_archive.h>

#include <inttypes.h>
#include <stdio.h>

static void print_tensor(const ep_archive *archive, const ep_archive_tensor *tensor) {
    ep_archive_storage storage;
    printf("%.*s  %s[", (int)tensor->name.size, tensor->name.data, tensor->dtype);
    for (size_t i = 0; i < tensor->rank; i++) {
        printf("%s%" PRId64, i > 0 ? ", " : "", tensor->sizes[i]);
    }
    putchar(']');
    if (ep_archive_storage_at(archive, tensor->storage, &storage) && storage.is_stored) {
        printf("  at %" PRIu64, storage.place + tensor->offset * tensor->element);
    }
    putchar('\n');
}

int main(int argc, char **argv) {
    ep_error error;
    ep_archive_tensor tensor;
    char digest[EP_ARCHIVE_DIGEST_SIZE];

    ep_archive *archive = ep_archive_open_file(argc > 1 ? argv[1] : "", NULL, &error);
    if (!ep_archive_check(archive, NULL, archive != NULL ? &error : NULL) ||
        !ep_archive_list(archive, &error)) {
        fprintf(stderr, "%s: %s [SPEC %s] %s\n", error.about, ep_code_message(error.code),
                ep_code_clause(error.code), error.detail);
        ep_archive_close(archive);
        return 1;
    }
    for (size_t i = 0; ep_archive_tensor_at(archive, i, &tensor); i++) {
        if (tensor.dtype != NULL) {
            print_tensor(archive, &tensor);
        }
    }
    if (ep_archive_digest_weights(archive, digest, &error)) {
        puts(digest);
    }
    ep_archive_close(archive);
    return 0;
}
