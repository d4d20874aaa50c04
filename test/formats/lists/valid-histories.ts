import fc from 'fast-check'

/**
 * Histories that their provider accepts, in each form: no text is blank, every call has its result right after it, and reasoning
 * comes before an answer. Their parts are of every kind, also alone in a message.
 */

export const words = fc.constantFrom('read the log', 'it hangs', 'fix it', 'done')
export const DATA = 'iVBORw0KGgo='

/** The pieces of a turn in a form. */
type Pieces = {
  /** Messages that may come between two turns, or at the front. */
  readonly asides: fc.Arbitrary<object>
  readonly asks: fc.Arbitrary<object>
  /** A step with calls: the answer, and the results of its calls. */
  readonly step: (ids: readonly string[]) => fc.Arbitrary<object[]>
  /** Items of the last answer of a turn; the id is for a call that the provider ran. */
  readonly answers: (id: string) => fc.Arbitrary<object[]>
}

type Shape = { readonly aside: boolean; readonly steps: readonly number[] }

const shapes: fc.Arbitrary<Shape[]> = fc.array(
  fc.record({ aside: fc.boolean(), steps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
)

export function historiesOf({ asides, asks, step, answers }: Pieces): fc.Arbitrary<object[]> {
  return shapes.chain((turns) => {
    let calls = 0
    const ids = (count: number) => Array.from({ length: count }, () => `call_${++calls}`)
    const items = turns.flatMap(({ aside, steps }) => [
      ...(aside ? [asides.map((item) => [item])] : []),
      asks.map((item) => [item]),
      ...steps.map((count) => step(ids(count))),
      answers(`call_${++calls}`),
    ])
    return fc.tuple(...items).map((made) => made.flat())
  })
}

export const text = words.map((said) => ({ type: 'text', text: said }))
export const each = (ids: readonly string[], one: (id: string) => fc.Arbitrary<object>) => fc.tuple(...ids.map(one))
export const some = (...parts: fc.Arbitrary<object>[]) => fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 })
export const constant = (value: object) => fc.constant(value).map((one) => structuredClone(one))
