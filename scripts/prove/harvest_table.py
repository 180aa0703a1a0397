"""How the models of the harvest that are written here are put into its tables."""

import inspect

import torch

from harvest_ways import Made, Model


def made(function, *args, dynamic=None, preserve=(), **kwargs):
    """A module with its arguments; of a function that takes self first, one is made."""
    if isinstance(function, torch.nn.Module):
        module = function
    else:
        first = next(iter(inspect.signature(function).parameters), None)
        if first != "self":
            inner = function

            def function(self, *values, **named):
                return inner(*values, **named)
        module = type("Written", (torch.nn.Module,), {"forward": function})()
    return Made(module, args, kwargs, dynamic, preserve)


class Table:
    """Groups of models of one kind."""

    def __init__(self, kind):
        self.kind, self.groups = kind, {}

    def put(self, group, name, make, ways):
        self.groups.setdefault(f"{self.kind}/{group}", []).append(Model(name, make, tuple(ways)))

    def model(self, *ways):
        """Of a function that makes a model: a group of its own, called as it is."""
        def register(make):
            self.put(make.__name__.strip("_"), "model", make, ways)
            return make
        return register

    def source(self):
        return {name: lambda models=models: iter(models)
                for name, models in self.groups.items()}
