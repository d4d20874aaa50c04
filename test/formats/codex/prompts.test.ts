import { expect, it } from 'vitest'
import { encode } from '../../../src/formats/index.ts'
import { compacted, decoded, fixedDeps } from '../fixture.ts'

it('the title of a file that Pith wrote is not a typed prompt', async () => {
  const session = await compacted('codex.jsonl')
  const { text } = encode({ ...session, title: 'Example' }, 'codex', fixedDeps())
  expect(text).toContain('Compacted: Example')
  const { prompts } = decoded(text)
  expect(prompts?.typed).toBeGreaterThan(0)
  expect(prompts?.missing).toEqual([])
})
