import { describe, expect, it } from 'vitest'
import { WrittenFiles } from '../../../../src/agent/permissions/shell/known-output.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import { textWord, UNKNOWN_WORDS } from '../../../../src/agent/permissions/shell/shell-word.ts'
import { literal } from '../../../../src/agent/permissions/shell/text-shape.ts'

const here = { folders: [literal('/shop')] }

function writtenBy(script: string): WrittenFiles {
  const written = new WrittenFiles()
  for (const run of readScript(script, { workspace: '/shop', home: '/home/me' }).runs) written.keep(run)
  return written
}

describe('the text of a file that a script writes', () => {
  it.each([
    ['echo a > x', 'a\n'],
    ['echo a > /shop/x', 'a\n'],
    ['cd sub; echo a > ../x', 'a\n'],
    ['echo a > x; echo b >> x', 'a\nb\n'],
    ['printf a > x', 'a'],
    ['cat > x << E\na\nE\n', 'a\n'],
    ['tee x <<< a', 'a\n'],
    ['echo a | tee x', 'a\n'],
    ['tee y x <<< a', 'a\n'],
    ['echo a > y', undefined],
    ['echo x', undefined],
    ['echo a < x', undefined],
    ['date > x', undefined],
    ['tee x < y', undefined],
    ['echo "$A" > x', undefined],
    ['echo a > "$X"', undefined],
  ])('%s: %j', (script, text) => {
    expect(writtenBy(script).text(here, textWord('x'))).toBe(text)
  })

  it('is found from any folder, and only if the name is known', () => {
    const written = writtenBy('echo a > sub/x')
    expect(written.text({ folders: [literal('/shop/sub')] }, textWord('x'))).toBe('a\n')
    expect(written.text(here, textWord('x'))).toBeUndefined()
    expect(written.text(here, UNKNOWN_WORDS)).toBeUndefined()
    expect(written.text({ folders: [] }, textWord('/shop/sub/x'))).toBe('a\n')
    expect(written.text({ folders: [] }, textWord('x'))).toBeUndefined()
  })
})
