import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..')
const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'))

describe('the examples', () => {
  it.each(examples)('%s runs and says something', (file) => {
    const output = execFileSync(process.execPath, [join('examples', file)], { cwd: root, encoding: 'utf8' })
    expect(output).not.toBe('')
  })

  it('01-compact-messages.ts ends with a smaller conversation', () => {
    const output = execFileSync(process.execPath, ['examples/01-compact-messages.ts'], { cwd: root, encoding: 'utf8' })
    const [before = 0, after = 0] = (output.match(/\d+/g) ?? []).map(Number)
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(before)
  })
})
