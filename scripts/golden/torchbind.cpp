// torchbind.cpp - the class and the operator of the golden models torchbind_*.
//
// Two numbers, and a tensor times their sum: what corpora/golden/models.py calls
// goldentb::Foo and goldentb::takes_foo. scripts/golden/README.md says how it is
// compiled against a PyTorch release; nothing else of the project is C++.
#include <torch/custom_class.h>
#include <torch/library.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Foo : torch::CustomClassHolder {
    int64_t x, y;

    Foo(int64_t first, int64_t second) : x(first), y(second) {
    }

    at::Tensor add_tensor(const at::Tensor &z) const {
        return z.mul(x + y);
    }

    // What fake classes are made from.
    std::tuple<std::tuple<std::string, int64_t>, std::tuple<std::string, int64_t>> flatten() const {
        return {{"x", x}, {"y", y}};
    }
};

using FooPtr = c10::intrusive_ptr<Foo>;

at::Tensor takes_foo(const FooPtr &foo, const at::Tensor &z) {
    return foo->add_tensor(z);
}

} // namespace

TORCH_LIBRARY(goldentb, library) {
    library.class_<Foo>("Foo")
        .def(torch::init<int64_t, int64_t>())
        .def("add_tensor",
             [](const FooPtr &foo, const at::Tensor &z) { return foo->add_tensor(z); })
        .def("__obj_flatten__", [](const FooPtr &foo) { return foo->flatten(); })
        .def_pickle(
            [](const FooPtr &foo) {
                return std::vector<int64_t>{foo->x, foo->y};
            },
            [](std::vector<int64_t> state) {
                return c10::make_intrusive<Foo>(state[0], state[1]);
            });
    library.def("takes_foo(__torch__.torch.classes.goldentb.Foo foo, Tensor z) -> Tensor");
}

TORCH_LIBRARY_IMPL(goldentb, CompositeExplicitAutograd, library) {
    library.impl("takes_foo", takes_foo);
}
