/*
 * completions.c - see completions.h. What completes an argument is told by its name in the
 * rows: FILE, DIR, VERSION, CODE, or its choices; nothing completes a number or a name.
 */
#include "completions.h"

#include <string.h>

#include "gen/defects/defect.h"

typedef enum word_kind { WORDS_NONE, WORDS_FILES, WORDS_FOLDERS, WORDS_LISTED } word_kind;

/* ------------------------------------------------------------------------- words */

static void put_word(buffer *b, const char *word) {
    buffer_text(b, b->size > 0 ? " " : "");
    buffer_text(b, word);
}

/* "torch-2.4" of "2.4.0 2.4.1": once, whichever versions share it. */
static void put_releases(buffer *b, const char *releases) {
    while (releases != NULL && *releases != '\0') {
        size_t size = strcspn(releases, " ");
        const char *minor = memchr(releases, '.', size);
        size_t length = minor == NULL ? size : (size_t)(minor + 1 - releases);
        length += strcspn(releases + length, ". ");
        char name[32] = "torch-";
        if (length < sizeof name - 6) {
            memcpy(name + 6, releases, length);
            if (b->size == 0 || strstr(buffer_string(b), name) == NULL) {
                put_word(b, name);
            }
        }
        releases += size + (releases[size] == ' ');
    }
}

static void put_versions(buffer *b) {
    buffer released = {0};
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        put_word(b, ep_version_at(i)->name);
        put_releases(&released, ep_version_at(i)->releases);
    }
    put_word(b, "latest");
    put_word(b, buffer_string(&released));
    b->failed = b->failed || released.failed;
    buffer_free(&released);
}

/* All that `explain` knows, or the codes of the defects that `gen` can make. */
static void put_codes(buffer *b, bool defects) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        if (!defects || defect_known(ep_code_at(i))) {
            put_word(b, ep_code_name(ep_code_at(i)));
        }
    }
    for (int id = EP_AUDIT_NONE + 1; !defects && id < EP_AUDIT_COUNT; id++) {
        put_word(b, ep_audit_name((ep_audit_id)id));
    }
}

static bool says(const char *text, const char *word) {
    return strstr(text, word) != NULL;
}

/* What an option's argument can be; the words, where they are known. */
static word_kind option_words(const option_row *row, buffer *words) {
    words->size = 0; /* a failure stays */
    if (row->argument == NULL) {
        return WORDS_NONE;
    }
    if (row->choices != NULL) {
        put_word(words, row->choices);
    } else if (says(row->argument, "VERSION")) {
        put_versions(words);
    } else if (says(row->argument, "CODE")) {
        put_codes(words, true);
    }
    if (words->size > 0) {
        return WORDS_LISTED;
    }
    return says(row->argument, "FILE")  ? WORDS_FILES
           : says(row->argument, "DIR") ? WORDS_FOLDERS
                                        : WORDS_NONE;
}

/* The same of a command's operands. */
static word_kind operand_words(const command_row *row, buffer *words) {
    words->size = 0; /* a failure stays */
    if (says(row->operands, "VERSION")) {
        put_versions(words);
    } else if (says(row->operands, "CODE")) {
        put_codes(words, false);
    }
    return words->size > 0 ? WORDS_LISTED : *row->operands != '\0' ? WORDS_FILES : WORDS_NONE;
}

/* A text with a mark before each of some characters. */
static void put_escaped(buffer *b, const char *text, const char *characters, const char *mark) {
    for (; *text != '\0'; text++) {
        buffer_text(b, strchr(characters, *text) != NULL ? mark : "");
        buffer_byte(b, *text);
    }
}

/* -------------------------------------------------------------------------- bash */

static void bash_options(buffer *b, command_id command) {
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        if (option_is_of(row, command)) {
            buffer_text(b, " --");
            buffer_text(b, row->name);
            buffer_text(b, row->argument != NULL ? "=" : "");
        }
    }
}

/* Sets how, and values, for a case of the script. */
static void bash_words(buffer *b, word_kind kind, const buffer *words) {
    static const char *const how[] = {[WORDS_NONE] = "none",
                                      [WORDS_FILES] = "files",
                                      [WORDS_FOLDERS] = "folders",
                                      [WORDS_LISTED] = "words"};
    if (kind == WORDS_LISTED) {
        buffer_text(b, ") values=\"");
        buffer_put(b, words->data, words->size);
        buffer_text(b, "\" how=");
    } else {
        buffer_text(b, ") how=");
    }
    buffer_text(b, how[kind]);
    buffer_text(b, " ;;\n");
}

static void bash_values(buffer *b, buffer *words) {
    buffer_text(b, "    case $option in\n");
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        word_kind kind = option_words(row, words);
        if (row->argument == NULL) {
            continue;
        }
        buffer_text(b, "    --");
        buffer_text(b, row->name);
        if (row->letter != 0) {
            buffer_text(b, "|-");
            buffer_byte(b, row->letter);
        }
        bash_words(b, kind, words);
    }
    buffer_text(b, "    esac\n");
}

static void bash_commands(buffer *b) {
    buffer_text(b, "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    for (int i = 0; i < COMMAND_NONE; i++) {
        buffer_text(b, i > 0 ? " " : "");
        buffer_text(b, command_rows[i].name);
    }
    bash_options(b, COMMAND_NONE);
    buffer_text(b, "\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        buffer_text(b, "        ");
        buffer_text(b, command_rows[i].name);
        buffer_text(b, ") words=\"");
        bash_options(b, (command_id)i);
        buffer_text(b, "\" ;;\n");
    }
    buffer_text(b, "        esac\n    fi\n");
}

static void bash_operands(buffer *b, buffer *words) {
    buffer_text(b, "    [ -n \"$how\" ] || case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        word_kind kind = operand_words(&command_rows[i], words);
        buffer_text(b, "    ");
        buffer_text(b, command_rows[i].name);
        bash_words(b, kind, words);
    }
    buffer_text(b, "    esac\n");
}

static void put_bash(buffer *b, buffer *words) {
    buffer_text(b, "# bash completions of epref; made by `epref --completions=bash`\n"
                   "_epref() {\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local option= words= values= how=\n"
                   "    # bash takes --option=value apart at the equals sign\n"
                   "    if [ \"$word\" = = ]; then option=$last word=\n"
                   "    elif [ \"$last\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
                   "    else option=$last; fi\n");
    bash_values(b, words);
    bash_commands(b);
    buffer_text(
        b, "    COMPREPLY=()\n"
           "    if [ -z \"$how\" ] && { [ \"${word:0:1}\" = - ] || [ \"$COMP_CWORD\" -eq 1 ]; }\n"
           "    then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "        case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
           "        return\n"
           "    fi\n");
    bash_operands(b, words);
    buffer_text(b, "    case $how in\n"
                   "    words) mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\") ;;\n"
                   "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
                   "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
                   "    esac\n"
                   "    case $how in files|folders) compopt -o filenames 2>/dev/null ;; esac\n"
                   "}\n"
                   "complete -F _epref epref\n");
}

/* --------------------------------------------------------------------------- zsh */

static const char zsh_special[] = "[]:\\";

/* What stands within single quotes: those of the text itself are put outside them. */
static void zsh_text(buffer *b, const char *text) {
    buffer marked = {0};
    put_escaped(&marked, text, zsh_special, "\\");
    put_escaped(b, buffer_string(&marked), "'", "'\\'");
    b->failed = b->failed || marked.failed;
    buffer_free(&marked);
}

/* ":LEVEL:(wire schema)", of an argument and what completes it. */
static void zsh_words(buffer *b, const char *argument, word_kind kind, const buffer *words) {
    buffer_byte(b, ':');
    zsh_text(b, argument);
    buffer_byte(b, ':');
    if (kind == WORDS_LISTED) {
        buffer_byte(b, '(');
        buffer_put(b, words->data, words->size);
        buffer_byte(b, ')');
    } else if (kind != WORDS_NONE) {
        buffer_text(b, kind == WORDS_FILES ? "_files" : "_files -/");
    }
}

/* '(-o --output)'{-o+,--output=}'[help]:FILE:_files', a word of _arguments. */
static void zsh_option(buffer *b, const option_row *row, buffer *words) {
    word_kind kind = option_words(row, words);
    const char *takes = row->argument != NULL ? "=" : "";
    buffer_text(b, " \\\n            ");
    if (row->letter != 0) {
        const char letter[] = {row->letter, '\0'};
        const char *const parts[] = {
            "'(-", letter,    " --", row->name, ")'{-", letter, row->argument != NULL ? "+" : "",
            ",--", row->name, takes, "}'["};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            buffer_text(b, parts[i]);
        }
    } else {
        buffer_text(b, "'--");
        buffer_text(b, row->name);
        buffer_text(b, takes);
        buffer_byte(b, '[');
    }
    zsh_text(b, row->help);
    buffer_byte(b, ']');
    if (row->argument != NULL) {
        zsh_words(b, row->argument, kind, words);
    }
    buffer_byte(b, '\'');
}

static void zsh_options(buffer *b, command_id command, buffer *words) {
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        if (option_is_of(row, command)) {
            zsh_option(b, row, words);
        }
    }
}

static void zsh_command(buffer *b, command_id command, buffer *words) {
    const command_row *row = &command_rows[command];
    buffer_text(b, "        ");
    buffer_text(b, row->name);
    buffer_text(b, ")\n            _arguments -s -S");
    zsh_options(b, command, words);
    word_kind kind = operand_words(row, words);
    if (kind != WORDS_NONE) {
        buffer_text(b, " \\\n            '*");
        zsh_words(b, row->operands, kind, words);
        buffer_byte(b, '\'');
    }
    buffer_text(b, " ;;\n");
}

static void put_zsh(buffer *b, buffer *words) {
    buffer_text(b, "#compdef epref\n"
                   "# zsh completions of epref; made by `epref --completions=zsh`\n"
                   "_epref() {\n"
                   "    local curcontext=$curcontext state line\n"
                   "    typeset -A opt_args\n"
                   "    _arguments -C");
    zsh_options(b, COMMAND_NONE, words);
    buffer_text(b, " \\\n            '1:command:->command' '*::argument:->argument'\n"
                   "    case $state in\n"
                   "    command)\n"
                   "        local -a commands\n"
                   "        commands=(\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        buffer_text(b, "            '");
        buffer_text(b, command_rows[i].name);
        buffer_byte(b, ':');
        zsh_text(b, command_rows[i].summary);
        buffer_text(b, "'\n");
    }
    buffer_text(b, "        )\n"
                   "        _describe command commands ;;\n"
                   "    argument)\n"
                   "        case $words[1] in\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        zsh_command(b, (command_id)i, words);
    }
    buffer_text(b, "        esac ;;\n"
                   "    esac\n"
                   "}\n"
                   "if [ \"$funcstack[1]\" = _epref ]; then _epref \"$@\"; "
                   "else compdef _epref epref; fi\n");
}

/* -------------------------------------------------------------------------- fish */

static void fish_quoted(buffer *b, const char *text) {
    buffer_byte(b, '\'');
    put_escaped(b, text, "'\\", "\\");
    buffer_byte(b, '\'');
}

/* Begins a rule: of a command, or of a line that has none yet. */
static void fish_begin(buffer *b, command_id command) {
    buffer_text(b, "complete -c epref -n ");
    if (command == COMMAND_NONE) {
        buffer_text(b, "__fish_use_subcommand");
    } else {
        buffer_text(b, "'__fish_seen_subcommand_from ");
        buffer_text(b, command_rows[command].name);
        buffer_byte(b, '\'');
    }
}

static void fish_words(buffer *b, word_kind kind, const buffer *words) {
    if (kind == WORDS_LISTED) {
        buffer_text(b, " -a '");
        buffer_put(b, words->data, words->size);
        buffer_byte(b, '\'');
    } else if (kind == WORDS_FOLDERS) {
        buffer_text(b, " -a '(__fish_complete_directories)'");
    }
}

static void fish_option(buffer *b, command_id command, const option_row *row, buffer *words) {
    word_kind kind = option_words(row, words);
    fish_begin(b, command);
    buffer_text(b, " -l ");
    buffer_text(b, row->name);
    if (row->letter != 0) {
        buffer_text(b, " -s ");
        buffer_byte(b, row->letter);
    }
    if (row->argument != NULL) {
        buffer_text(b, kind == WORDS_FILES ? " -r -F" : " -x");
        fish_words(b, kind, words);
    }
    buffer_text(b, " -d ");
    fish_quoted(b, row->help);
    buffer_byte(b, '\n');
}

static void fish_command(buffer *b, command_id command, buffer *words) {
    const command_row *row = &command_rows[command];
    if (command != COMMAND_NONE) {
        word_kind kind = operand_words(row, words);
        fish_begin(b, COMMAND_NONE);
        buffer_text(b, " -a ");
        buffer_text(b, row->name);
        buffer_text(b, " -d ");
        fish_quoted(b, row->summary);
        buffer_byte(b, '\n');
        fish_begin(b, command);
        buffer_text(b, kind == WORDS_FILES ? " -F" : " -f");
        fish_words(b, kind, words);
        buffer_byte(b, '\n');
    }
    for (const option_row *option = option_rows; option->name != NULL; option++) {
        if (option_is_of(option, command)) {
            fish_option(b, command, option, words);
        }
    }
}

static void put_fish(buffer *b, buffer *words) {
    buffer_text(b, "# fish completions of epref; made by `epref --completions=fish`\n"
                   "complete -c epref -f\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        fish_command(b, (command_id)i, words);
    }
    fish_command(b, COMMAND_NONE, words);
}

/* ------------------------------------------------------------------------ shells */

void completions_put(buffer *b, const char *shell) {
    buffer words = {0};
    if (strcmp(shell, "zsh") == 0) {
        put_zsh(b, &words);
    } else if (strcmp(shell, "fish") == 0) {
        put_fish(b, &words);
    } else {
        put_bash(b, &words);
    }
    b->failed = b->failed || words.failed;
    buffer_free(&words);
}
