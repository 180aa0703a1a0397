// What require("epref") finds.
throw new Error('epref is an ES module that compiles WebAssembly while it is loaded: const epref = await import("epref")');
