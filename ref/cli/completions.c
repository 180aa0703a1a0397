/*
 * completions.c - see completions.h. What completes an argument is told by its name in the
 * rows: VERSION, CODE, or its choices. Where there is none of them the scripts take files.
 */
#include "completions.h"

#include <string.h>

#include "common/names.h"
#include "gen/defects/defect.h"
#include "print.h"

static const char bash_script[] =
    "_epref() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'\n"
    "    COMPREPLY=($(epref --completions=line -- \"${COMP_LINE:0:COMP_POINT}\"))\n"
    "    if [ ${#COMPREPLY[@]} -eq 0 ]; then\n"
    "        COMPREPLY=($(compgen -f -- \"${word#=}\"))\n"
    "    elif [ \"${COMPREPLY[0]%=}\" != \"${COMPREPLY[0]}\" ]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    else\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#--*=}\") # words end at equals signs\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _epref epref\n";

static const char zsh_script[] =
    "#compdef epref\n"
    "_epref() {\n"
    "    local -a found\n"
    "    found=(${(f)\"$(epref --completions=line -- \"${(j: :)words[1,CURRENT-1]} $PREFIX\")\"})\n"
    "    if (( $#found )); then\n"
    "        compadd -S '' -- $found\n"
    "    else\n"
    "        compset -P '*='\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
    "    _epref \"$@\"\n"
    "else\n"
    "    compdef _epref epref\n"
    "fi\n";

static const char fish_script[] =
    "complete -c epref -a '(epref --completions=line -- (commandline -cp))'\n";

/* The last word of a line, and what it is put behind. */
typedef struct completion {
    buffer *out;
    const char *last;
    command_id command;
} completion;

/* "--format=", "json": if it begins with the last word. */
static void put_word(const completion *c, const char *before, ep_bytes word) {
    size_t size = strlen(c->last);
    size_t from = c->out->size;
    print(c->out, "%s%r", before, word.data, word.size);
    ep_bytes put = buffer_since(c->out, from);
    if (put.size < size || memcmp(put.data, c->last, size) != 0) {
        c->out->size = from;
    } else {
        buffer_byte(c->out, '\n');
    }
}

static void put_words(const completion *c, const char *before, const char *words) {
    while (words != NULL && *words != '\0') {
        size_t size = strcspn(words, " ");
        put_word(c, before, (ep_bytes){words, size});
        words += size + (words[size] == ' ');
    }
}

/* "torch-2.4" of "2.4.0 2.4.1" */
static void put_releases(const completion *c, const char *before, const char *releases) {
    char name[32] = "torch-";
    const char *minor = releases == NULL ? NULL : strchr(releases, '.');
    size_t size = minor == NULL ? 0 : (size_t)(minor - releases) + 1;
    size += minor == NULL ? 0 : strcspn(minor + 1, ". ");
    if (size > 0 && size < sizeof name - 6) {
        memcpy(name + 6, releases, size);
        put_word(c, before, (ep_bytes){name, size + 6});
    }
}

static void put_versions(const completion *c, const char *before) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        put_words(c, before, ep_version_at(i)->name);
        for (const char *at = ep_version_at(i)->releases; at != NULL; at = strchr(at, ' ')) {
            at += *at == ' ';
            put_releases(c, before, at);
        }
    }
    put_words(c, before, "latest");
}

/* All that `explain` knows, or the codes of the defects that `gen` can make. */
static void put_codes(const completion *c, const char *before, bool defects) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        if (!defects || defect_known(ep_code_at(i))) {
            put_words(c, before, ep_code_name(ep_code_at(i)));
        }
    }
    for (int id = EP_AUDIT_NONE + 1; !defects && id < EP_AUDIT_COUNT; id++) {
        put_words(c, before, ep_audit_name((ep_audit_id)id));
    }
}

/* What an option's argument can be, or an operand. */
static void put_argument(const completion *c, const char *before, const char *argument,
                         const char *choices) {
    put_words(c, before, choices);
    if (strstr(argument, "VERSION") != NULL) {
        put_versions(c, before);
    } else if (strstr(argument, "CODE") != NULL) {
        put_codes(c, before, *before != '\0');
    }
}

static void put_options(const completion *c) {
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        buffer text = {0};
        print(&text, "--%s%s", row->name, row->argument != NULL ? "=" : "");
        const char *option = buffer_string(&text);
        if (!text.failed && option_is_of(row, c->command)) {
            bool valued = row->argument != NULL && strncmp(c->last, option, text.size) == 0;
            if (valued) {
                put_argument(c, option, row->argument, row->choices);
            } else {
                put_words(c, "", option);
            }
        }
        c->out->failed = c->out->failed || text.failed;
        buffer_free(&text);
    }
}

/* Whether a word, which is followed by another, is an option that this one is the argument of. */
static bool wants_argument(const completion *c, ep_bytes word) {
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        bool letter = word.size == 2 && word.data[0] == '-' && word.data[1] == row->letter;
        bool name = word.size > 2 && bytes_start(word, "--") &&
                    bytes_equal((ep_bytes){word.data + 2, word.size - 2}, row->name);
        if (option_is_of(row, c->command) && row->argument != NULL && (letter || name)) {
            put_argument(c, "", row->argument, row->choices);
            return true;
        }
    }
    return false;
}

static void put_line(completion *c, const char *line) {
    ep_bytes word = {"", 0}; /* the last but one */
    c->last = line;
    for (const char *next = strchr(line, ' '); next != NULL; next = strchr(c->last, ' ')) {
        word = (ep_bytes){c->last, (size_t)(next - c->last)};
        for (int i = 0; c->command == COMMAND_NONE && c->last != line && i < COMMAND_NONE; i++) {
            c->command = bytes_equal(word, command_rows[i].name) ? (command_id)i : c->command;
        }
        c->last = next + 1;
    }
    if (wants_argument(c, word)) {
        return;
    }
    if (c->command != COMMAND_NONE) {
        put_argument(c, "", command_rows[c->command].operands, NULL);
    }
    for (int i = 0; c->command == COMMAND_NONE && i < COMMAND_NONE; i++) {
        put_words(c, "", command_rows[i].name);
    }
    if (*c->last == '-') {
        put_options(c);
    }
}

void completions_put(buffer *b, const char *shell, const char *line) {
    completion c = {.out = b, .command = COMMAND_NONE};
    switch (*shell) {
    case 'b':
        buffer_text(b, bash_script);
        break;
    case 'z':
        buffer_text(b, zsh_script);
        break;
    case 'f':
        buffer_text(b, fish_script);
        break;
    default:
        put_line(&c, line);
    }
}
