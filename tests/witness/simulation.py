"""simulation - what a system's tree is, and how long its operation takes, message by message
SPDX-License-Identifier: GPL-3.0-or-later

Written from the sources of the systems, and independent of the programs that it is asked about. A
tree is a list of the children of every process, in the order in which they are served."""
from dataclasses import dataclass
from heapq import heappop, heappush
from math import prod

# Trees, each as the children of all n processes in their order of service; process 0 is the root.


def flat(n):
    return kary(n, n)


def kary(n, k):
    """Breadth first. With 0 all are below the root."""
    k = min(k, n - 1) or n - 1
    return [range(k * v + 1, min(k * v + k + 1, n)) for v in range(n)]


def chains(n, k=1):
    """K chains of consecutive ranks below the root, the first ones longer by one."""
    children = [[v + 1] for v in range(n)]
    k = min(k, n - 1)
    length, longer = divmod(n - 1, k)
    heads = [1 + i * length + min(i, longer) for i in range(k)]
    for after in [*heads[1:], n]:
        children[after - 1] = []
    children[0] = heads
    return children


def strided(n, k):
    """Level l has k^l processes, whose children are that far apart."""
    children = []
    distance = 1
    while len(children) < n:
        level = range(len(children), min(len(children) + distance, n))
        children += [range(v + distance, min(v + k * distance + 1, n), distance) for v in level]
        distance *= k
    return children


def binary(n):
    return strided(n, 2)


def binomial_by_high_bit(n):
    """Parent without the highest bit, nearest child first: it has the largest subtree."""
    bits = [1 << i for i in range(n.bit_length())]
    return [[v + bit for bit in bits if v < bit < n - v] for v in range(n)]


def binomial_by_low_bit(n):
    """Parent without the lowest bit, nearest child first: it has the smallest subtree."""
    bits = [1 << i for i in range(n.bit_length())]
    return [[v + bit for bit in bits if v % (2 * bit) == 0 and v + bit < n] for v in range(n)]


def knomial(n, k, descending):
    """Parent without the lowest digit, farthest distance first, in it the multiples up or down."""
    children = [[] for _ in range(n)]
    distance = 1
    while distance < n:
        for v in range(0, n, k * distance):
            level = range(v + distance, min(v + k * distance, n), distance)
            children[v][:0] = reversed(level) if descending else level
        distance *= k
    return children


def knomial_ascending(n, k):
    return knomial(n, k, False)


def knomial_descending(n, k):
    return knomial(n, k, True)


def knomial_ranges(n, k):
    """Subtrees are ranges of ranks, k - 1 of each power of k, the largest first, as many as are full."""
    children = [[] for _ in range(n)]
    size = 1
    while size < n:
        size *= k
    pending = [(0, size)]
    while pending:
        root, size = pending.pop()
        first = root + 1
        while size > 1:
            size //= k
            heads = range(first, min(first + (k - 1) * size, n), size)
            children[root] += heads
            pending += [(head, size) for head in heads]
            first += (k - 1) * size
    return children


def greedy(n, r):
    """Who has the message sends it on, a child an overhead after the other, which has it r + 2 later.
    Of those that would reach a child at the same time, the one that had the message first does."""
    children = [[] for _ in range(n)]
    ready = [(r + 2, 0)]
    for child in range(1, n):
        at, parent = heappop(ready)
        children[parent].append(child)
        heappush(ready, (at + 1, parent))
        heappush(ready, (at + r + 2, child))
    return children


def routers(n, k):
    """K below the root, and all others dealt to them in turn. With 0 all are below the root."""
    k = min(k, n - 1) or n - 1
    return [range(1, k + 1), *(range(v + k, n, k) for v in range(1, k + 1)), *[[]] * (n - k - 1)]


def few_routers(n):
    """As few as leave none with more than 1024, but not one."""
    return routers(n, next(k for k in (0, *range(2, n)) if n - 1 <= 1024 or n - 1 - k <= 1024 * k))


def ranges(n, width):
    """Process 0 and each head of a range divide the rest among as many ranges: levels are filled one
    after the other, the last one evenly."""
    children = [[] for _ in range(n)]
    pending = [(0, n - 1)]
    while pending:
        head, rest = pending.pop()
        first = head + 1
        for size in range_sizes(rest, width):
            children[head].append(first)
            pending.append((first, size - 1))
            first += size
    return children


def range_sizes(rest, width):
    if rest <= width:
        return [1] * rest
    each, level = 0, 1
    while rest >= level * width:
        each += level
        rest -= level * width
        level *= width
    return [each + rest // width + (i < rest % width) for i in range(width)]


def binary_in_order(n):
    """Rooted at the last rank; the child with the larger ranks first, which has half, rounded down."""
    children = [[] for _ in range(n)]
    pending = [(0, n)]
    while pending:
        first, after = pending.pop()
        middle = first + (after - first) // 2
        parts = [part for part in ((middle, after - 1), (first, middle)) if part[0] < part[1]]
        children[after - 1] = [end - 1 for _, end in parts]
        pending += parts
    return children


def levels(fanouts, leaves):
    """Even levels of internal processes, and the leaves below the last one."""
    children = [[]]
    first, count = 0, 1
    for fanout in (*fanouts, leaves / prod(fanouts)):
        borders = [first + count + round(i * fanout) for i in range(count + 1)]
        children[first:] = [range(a, b) for a, b in zip(borders, borders[1:])]
        first += count
        count = borders[-1] - borders[0]
    return children + [[]] * count


def by_parents(parents):
    """In the order of ranks."""
    children = [[] for _ in parents]
    for v, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(v)
    return children


# Times


@dataclass(frozen=True)
class Cost:
    """Of a message: L on its way, send and receive at its ends; next_* are those of a further one."""

    name: str
    L: float
    send: float
    receive: float
    next_send: float
    next_receive: float
    gap: float = 0.0


def loggops(L, o_s, o_r, g=0.0):
    return Cost("LogGOPS", L, o_s, o_r, max(o_s, g), max(o_r, g), g)


def tan(L, a, b):
    return Cost("TAN", L, a, a, b, b)


class Tree:
    """Processes with parents before children and siblings in their order of service."""

    def __init__(self, children, root=0):
        ranks, self.parents, self.places = [root], [-1], [0]
        for i, rank in enumerate(ranks):
            own = children[rank]
            ranks += own
            self.parents += [i] * len(own)
            self.places += range(len(own))
        assert len(ranks) == len(children)
        self.ranks = ranks
        self.near = [False] * len(ranks)  # whether a process is on the host of its parent

    def on_hosts(self, ranks_per_host):
        """Ranks fill one host after the other."""
        hosts = [rank // ranks_per_host for rank in self.ranks]
        self.near = [host == hosts[parent] for host, parent in zip(hosts, self.parents)]
        return self


def down(tree, far, near=None, threads=1):
    """The last process has the message: children are sent it one after the other, or THREADS at a time."""
    sent, has = [0.0], [0.0]
    for parent, place, is_near in zip(tree.parents[1:], tree.places[1:], tree.near[1:]):
        cost = near if is_near else far
        if place == 0:
            sent[parent] = has[parent] + cost.send
        elif place % threads == 0:
            sent[parent] += cost.next_send
        has.append(sent[parent] + cost.L + cost.receive)
        sent.append(0.0)
    return max(has)


def up(tree, far, near=None, in_order=False):
    """The root has all: messages are received as they come, or IN_ORDER of the tree."""
    return rise(tree, far, near, [0.0] * len(tree.parents), in_order)


def rise(tree, far, near, free, in_order=False):
    """The same with processes that have no time to receive until FREE."""
    arrived = [[] for _ in free]
    for v in range(len(free) - 1, -1, -1):
        done = free[v]
        further = False
        for at, receive, next_receive in reversed(arrived[v]) if in_order else sorted(arrived[v]):
            done = max(at + receive, done + (next_receive if further else receive))
            further = True
        if v > 0:
            cost = near if tree.near[v] else far
            arrived[tree.parents[v]].append((done + cost.send + cost.L, cost.receive, cost.next_receive))
    return done


def half_round_trip(tree, cost):
    """Half of: the root has all answers, which processes receive when they have sent all requests."""
    free = [0.0] * len(tree.parents)
    has = free[:]
    for v in range(1, len(free)):
        parent = tree.parents[v]
        free[parent] = has[parent] + cost.send + tree.places[v] * cost.next_send
        has[v] = free[v] = free[parent] + cost.L + cost.receive
    return rise(tree, cost, None, free) / 2


def half_round_trip_tan(tree, cost):
    """TAN's: a level costs what the parent has children, and levels add up."""
    below = [0.0] * len(tree.parents)
    fanout = [0] * len(below)
    for parent in tree.parents[1:]:
        fanout[parent] += 1
    for v in range(len(below) - 1, 0, -1):
        parent = tree.parents[v]
        level = cost.L + 2 * cost.send + (fanout[parent] - 1) * cost.next_send
        below[parent] = max(below[parent], level + below[v])
    return below[0]
