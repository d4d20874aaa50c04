import { expect, it } from 'vitest'
import { decoded, fixture } from '../fixture.ts'

it('our own export comes back entry by entry', () => {
  const lines = fixture('pith.jsonl').trimEnd().split('\n')
  expect(decoded(fixture('pith.jsonl')).entries).toEqual(lines.slice(1).map((line) => JSON.parse(line)))
})
