"""Tasks for the small repository of tests/augmenter/retrieval, and what answers them."""

# Task, and id of the function that its words mean.
BY_WORDS = (
    ("Wake the readers when the stream is closed", "symbol:src/app/stream.py::EventStream.close"),
    ("Retry with backoff", "symbol:src/app/stream.py::EventStream.retry"),
    ("Create a user", "symbol:src/app/api/routes.py::create_user"),
    ("Look a key up in a mapping", "symbol:src/app/utils.py::get"),
    ("zebra7 zebra8", "symbol:src/app/crunch.py::crunch@1"),
    ("Run the next handler", "symbol:server/main.go::Context.Next"),
    ("fetching users by id", "symbol:web/src/client.ts::Client.fetchUser"),
)
# Tasks that nothing there answers.
ELSEWHERE = (
    "Bake a sourdough loaf with rye flour, then let it cool on a wooden board for an hour",
    "Quarterly revenue forecast for the northern region, broken down by subsidiary",
    "Train a convolutional neural network on radiology images with mixed precision on eight accelerators",
    "",
    "the and of",
    "请解释量子力学的基本原理",
)
