import { describe, expect, it } from 'vitest'
import { packagedPage } from '../../scripts/packaged-page.mjs'

const files = ['README.md', 'docs/a.md', 'docs/images/a.svg', 'examples/1.ts']
const unknown = { files, version: '1.2.3' }
const known = { ...unknown, repository: 'https://git.example/pith' }

describe('a page in the package', () => {
  it('keeps its links to files and folders of the package', () => {
    const text = 'See [a](docs/a.md#part), [examples](examples), [below](#below), ![a](docs/images/a.svg).'
    expect(packagedPage('README.md', text, unknown)).toBe(text)
    expect(packagedPage('docs/a.md', '[e](../examples) [w](https://a.example/)', known)).toBe(
      '[e](../examples) [w](https://a.example/)',
    )
  })

  it('has plain text for links that lead out of it, and no such picture', () => {
    const text =
      '[Tables](bench/results.md) ![plot](bench/plot.svg)\n<picture>\n<img src="docs/b.png">\n</picture>\n\nend'
    expect(packagedPage('README.md', text, unknown)).toBe('Tables \nend')
  })

  it('has addresses for them once the repository has one; the README for all', () => {
    expect(packagedPage('docs/a.md', '[t](../bench/t.md#x) [a](a.md)', known)).toBe(
      '[t](https://git.example/pith/blob/v1.2.3/bench/t.md#x) [a](a.md)',
    )
    expect(packagedPage('README.md', '[a](docs/a.md) ![a](docs/images/a.svg)', known)).toBe(
      '[a](https://git.example/pith/blob/v1.2.3/docs/a.md) ![a](https://git.example/pith/raw/v1.2.3/docs/images/a.svg)',
    )
  })

  it('leaves programs as they are', () => {
    const text = 'text\n```ts\nconst a = b[0](c)\n```\n'
    expect(packagedPage('README.md', text, unknown)).toBe(text)
  })

  it('says at its end that files and commands which it names are in the repository', () => {
    const ending = 'are in the repository of Pith, not in this package.\n'
    expect(packagedPage('docs/a.md', 'No path is read (`test/a/security.test.ts`).\n', unknown)).toContain(ending)
    expect(packagedPage('docs/a.md', 'Measured with `node bench/server/measure.ts --quick`.\n', known)).toContain(
      ending,
    )
    expect(packagedPage('docs/a.md', 'It takes 3 ms (`npm run bench:steps`).\n', known)).toContain(ending)
    for (const text of [
      'Allow `edit: src/**` and `npm test`.\n',
      'As `examples/1.ts` does.\n',
      '```\n`bench/a.ts`\n```\n',
    ])
      expect(packagedPage('docs/a.md', text, unknown)).toBe(text)
  })
})
