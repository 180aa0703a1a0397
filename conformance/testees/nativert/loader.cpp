// Loads programs with PyTorch's C++ runtime, torch::nativert, from its public header alone.
//
// Standard input has the path of an archive a line; the answer to each is a line on standard
// output: "valid", or "invalid" and the first line of what was thrown. adapter.py drives it.
//
// Each archive is read by a child of its own, so that what was read before changes nothing. When
// a child ends without an answer, this ends in the same way.

#include <torch/csrc/api/include/torch/nativert/ModelRunnerHandle.h>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

namespace {

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

std::string judge(const std::string &path) {
    try {
        const torch::nativert::ModelRunnerHandle runner(path, "model");
        return "valid";
    } catch (const std::exception &error) {
        return "invalid " + first_line(error.what());
    }
}

// The child: answers, and is gone before anything is torn down.
[[noreturn]] void answer(const std::string &path) {
    std::cout << judge(path) << std::endl;
    _exit(std::cout ? 0 : 1);
}

[[noreturn]] void end_like(int status) {
    if (WIFSIGNALED(status)) {
        std::signal(WTERMSIG(status), SIG_DFL);
        std::raise(WTERMSIG(status));
    }
    std::exit(1);
}

} // namespace

int main() {
    std::string path;
    while (std::getline(std::cin, path)) {
        const pid_t child = fork();
        if (child == 0) {
            answer(path);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            return 1;
        }
        if (status != 0) {
            end_like(status);
        }
    }
    return 0;
}
