import { Combined, CsvOf, Field, listShapeOf, selectable } from '.';

class Item {
  @Field.Id('pos', 'Its id.') id!: string;
  @Field.Text('Its name.', { nullable: true }) name!: string | null;
}
class Gap {
  @Field.Text('Why.') reason!: string;
}
class Stamp {
  @Field.Object(() => Gap, 'What is missing.', { list: true }) gaps!: Gap[];
}
class Page extends Combined(Stamp) {
  @Field.Object(() => Item, 'Its items.', { list: true }) items!: Item[];
  @Field.NextCursor() nextCursor!: string | null;
}
class Answer {
  @Field.Object(() => Item, 'The item.') item!: Item;
}
const ITEM = { id: 'pos_1', name: null };

describe('selectable', () => {
  it('of a page: the fields of its items, and what is beside them stays', () => {
    const { names, select } = selectable(Page);
    expect([...names]).toEqual(['id', 'name']);
    const page = { items: [ITEM, { id: 'pos_2' }], gaps: [{ reason: 'late' }], nextCursor: null };
    expect(select(page, ['name'])).toEqual({ ...page, items: [{ name: null }, {}] });
  });

  it('of a class with one object: the fields of the object', () => {
    const { names, select } = selectable(Answer);
    expect([...names]).toEqual(['id', 'name']);
    expect(select({ item: ITEM }, ['id'])).toEqual({ item: { id: 'pos_1' } });
  });

  it('of another class: its own fields', () => {
    const { names, select } = selectable(Item);
    expect([...names]).toEqual(['id', 'name']);
    expect(select(ITEM, ['id'])).toEqual({ id: 'pos_1' });
  });
});

describe('listShapeOf', () => {
  class Counted {
    @Field.Object(() => Item, 'Its items.', { list: true }) items!: Item[];
    @Field.ItemCount() count!: number;
  }
  class Report extends Combined(Counted, Stamp) {}

  it('of a page, or of one list with its count: the columns of the items', () => {
    for (const dto of [Page, Counted])
      expect(listShapeOf(dto)).toEqual({ places: ['items'], columns: ['id', 'name'] });
  });

  it('of a report that states its list: the columns of its items', () => {
    @CsvOf('items')
    class Stated extends Combined(Counted, Stamp) {}
    expect(listShapeOf(Stated)).toEqual({ places: ['items'], columns: ['id', 'name'] });
  });

  it('null for a record, and for a report with several lists', () => {
    for (const dto of [Item, Answer, Report]) expect(listShapeOf(dto)).toBeNull();
  });
});
