package examine

import "slices"

// A step is how a cell of a table was reached.
type step byte

const (
	stepAdd step = iota
	stepSame
	stepSpelled
	stepReplace
	stepDivide // one word of the quotation, two of the paper
	stepJoin   // two of the quotation, one of the paper
	stepOmit
)

// A table is that of an alignment with affine costs of omitted words. Rows are the words of a quotation, columns those of a window.
type table struct {
	n, m  int
	costs []int32
	steps []step
	gaps  []int32 // by column: the cost of the best run of omitted words that ends there, of the row being filled
	froms []int32 // by cell: how many words are omitted where its step is stepOmit
	lens  []int32 // by column: how many words the run in gaps has
	row   int
}

func newTable(n, m int) *table {
	size := (n + 1) * (m + 1)
	return &table{n: n, m: m, costs: make([]int32, size), steps: make([]step, size), froms: make([]int32, size), gaps: make([]int32, m+1), lens: make([]int32, m+1)}
}

func (t *table) cost(i, j int) int32 { return t.costs[i*(t.m+1)+j] }

func (t *table) set(i, j int, c int32, s step) {
	at := i*(t.m+1) + j
	t.costs[at], t.steps[at] = c, s
	if s == stepOmit {
		t.froms[at] = t.lens[j]
	}
}

// omit returns the cost of omitting words of the paper up to column j of row i.
func (t *table) omit(i, j int, open, more int32) int32 {
	if t.row != i || j == 1 {
		t.row, t.gaps[0], t.lens[0] = i, 1<<30, 0
	}
	fresh, longer := t.cost(i, j-1)+open, t.gaps[j-1]+more
	if fresh <= longer {
		t.gaps[j], t.lens[j] = fresh, 1
	} else {
		t.gaps[j], t.lens[j] = longer, t.lens[j-1]+1
	}
	return t.gaps[j]
}

// trace returns the cheapest alignment of the whole quotation.
func (t *table) trace(from int) run {
	end := 0
	for j := range t.m + 1 {
		if t.cost(t.n, j) < t.cost(t.n, end) {
			end = j
		}
	}
	r := run{to: from + end, cost: int(t.cost(t.n, end))}
	i, j := t.n, end
	for i > 0 {
		switch at := i*(t.m+1) + j; t.steps[at] {
		case stepAdd:
			i--
			r.ops = append(r.ops, op{added, i, from + j, 1, 0})
		case stepDivide:
			i, j = i-1, j-2
			r.ops = append(r.ops, op{spelled, i, from + j, 1, 2})
			r.equal++
		case stepJoin:
			i, j = i-2, j-1
			r.ops = append(r.ops, op{spelled, i, from + j, 2, 1})
			r.equal += 2
		case stepOmit:
			k := int(t.froms[at])
			j -= k
			r.ops = append(r.ops, op{omitted, i, from + j, 0, k})
		case stepReplace:
			i, j = i-1, j-1
			r.ops = append(r.ops, op{replaced, i, from + j, 1, 1})
		case stepSpelled:
			i, j = i-1, j-1
			r.ops = append(r.ops, op{spelled, i, from + j, 1, 1})
			r.equal++
		default:
			i, j = i-1, j-1
			r.ops = append(r.ops, op{same, i, from + j, 1, 1})
			r.equal++
		}
	}
	r.from = from + j
	slices.Reverse(r.ops)
	return r
}
