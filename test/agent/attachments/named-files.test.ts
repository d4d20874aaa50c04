import { expect, it } from 'vitest'
import { namedFiles } from '../../../src/agent/attachments/with-attachments.ts'

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
  ['@shot.png and shot.png', ['shot.png (image)', 'shot.png'].slice(1)],
  ['the file src/a.ts', []],
  ['@a.ts, @b.ts; @c.ts: @d.ts! @e.ts? (@f.ts) [@g.ts]', ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts']],
  ['@a.ts\n@b.ts @a.ts', ['a.ts', 'b.ts']],
  ['a.jpg b.jpeg c.gif d.webp e.bmp png', ['a.jpg (image)', 'b.jpeg (image)', 'c.gif (image)', 'd.webp (image)']],
  ['"/tmp/my shot.png"', ['/tmp/my shot.png (image)']],
  ['shot.png.txt and xshot.png', ['xshot.png (image)']],
  ['x.png then @y.ts then z.png', ['x.png (image)', 'z.png (image)', 'y.ts']],
  ['@... or @ alone', []],
])('%s', (text, found) => {
  expect(paths(text)).toEqual(found)
})
