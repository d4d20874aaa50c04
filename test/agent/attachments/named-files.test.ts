import { expect, it } from 'vitest'
import { namedFiles } from '../../../src/agent/attachments/named-files.ts'

const paths = (text: string) =>
  namedFiles(text).map(({ path, mustBeImage }) => (mustBeImage ? `${path} (image)` : path))

it.each([
  ['look at @src/a.ts and @b.md.', ['src/a.ts', 'b.md']],
  ['(see @src/a.ts)', ['src/a.ts']],
  ['@"two words.txt" please', ['two words.txt']],
  ['write to ann@example.com', []],
  ['/tmp/shot.png what is wrong here?', ['/tmp/shot.png (image)']],
  ["'/tmp/my shot.png'", ['/tmp/my shot.png (image)']],
  ['/tmp/my\\ shot.PNG', ['/tmp/my shot.PNG (image)']],
  ['file:///tmp/my%20shot.png', ['/tmp/my shot.png (image)']],
  ['@shot.png and shot.png', ['shot.png (image)', 'shot.png'].slice(1)],
  ['the file src/a.ts', []],
])('%s', (text, found) => {
  expect(paths(text)).toEqual(found)
})
