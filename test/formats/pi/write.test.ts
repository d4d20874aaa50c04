import { expect, it } from 'vitest'
import { encode } from '../../../src/formats/index.ts'
import { decoded, fixedDeps, fixture } from '../fixture.ts'

it('a call of Codex with a bare text as its argument is written for pi as an object, which is all that it takes', () => {
  const { text } = encode(decoded(fixture('codex.jsonl')), 'pi', fixedDeps())
  expect(text).toContain('"name":"apply_patch","arguments":{"input":"*** Begin Patch')
})
