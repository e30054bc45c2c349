package plimsoll

import (
	"context"
	"iter"
	"maps"
	"net/url"
)

// List is a list of the API, which is read page by page. P is a page, and T an item.
type List[P, T any] struct {
	transport *transport
	call      call
	options   []CallOption
	parts     func(*P) ([]T, *string)
}

func newList[P, T any](t *transport, c call, options []CallOption, parts func(*P) ([]T, *string)) *List[P, T] {
	return &List[P, T]{t, c, options, parts}
}

// First returns the first page as the API sends it.
func (l *List[P, T]) First(ctx context.Context) (*P, error) {
	return send[P](ctx, l.transport, l.call, l.options)
}

// Pages yields every page. An error is the last that it yields.
func (l *List[P, T]) Pages(ctx context.Context) iter.Seq2[*P, error] {
	return func(yield func(*P, error) bool) {
		next := l.call
		for {
			page, err := send[P](ctx, l.transport, next, l.options)
			if !yield(page, err) || err != nil {
				return
			}
			_, cursor := l.parts(page)
			if cursor == nil || *cursor == "" {
				return
			}
			next.query = maps.Clone(l.call.query)
			if next.query == nil {
				next.query = url.Values{}
			}
			next.query.Set("cursor", *cursor)
		}
	}
}

// All yields the items of every page. An error is the last that it yields, with an empty item.
func (l *List[P, T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range l.Pages(ctx) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			items, _ := l.parts(page)
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// Take returns the first items, at most so many.
func (l *List[P, T]) Take(ctx context.Context, most int) ([]T, error) {
	taken := []T{}
	if most <= 0 {
		return taken, nil
	}
	for item, err := range l.All(ctx) {
		if err != nil {
			return nil, err
		}
		if taken = append(taken, item); len(taken) == most {
			break
		}
	}
	return taken, nil
}
