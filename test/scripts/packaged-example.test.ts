import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packagedExample } from '../../scripts/packaged-example.mjs'

const ROOT = resolve(import.meta.dirname, '..', '..')
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const NAMES = readdirSync(join(ROOT, 'examples'), { recursive: true })
  .map(String)
  .filter((name) => /\.\w+$/.test(name))
const example = (name: string) => packagedExample(readFileSync(join(ROOT, 'examples', name), 'utf8'), { exports })

describe('an example in the package', () => {
  it.each(NAMES)('%s names no source file', (name) => {
    expect(example(name)).not.toMatch(/\.\.\/src|in your (program|shell)/)
  })

  it('imports Pith by the name that its users write', () => {
    expect(example('01-fit-a-prompt.ts')).toContain("import { fit, type Message } from 'pith'\n")
    expect(example('02-ai-sdk-agent.ts')).toContain("from 'pith/ai-sdk'\n")
  })

  it('starts the program itself: a server behind `npx` would outlive the script that ends it', () => {
    expect(example('08-serve-and-curl.sh')).toContain('pith=("$(npm root)/.bin/pith")\n')
  })
})
