import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONFIG_EXAMPLE } from '../../scripts/docs/configuration-page.ts'
import { GENERATED_FILES } from '../../scripts/docs/generated-files.ts'
import { loadConfig } from '../../src/config/index.ts'
import { parseServerSettings } from '../../src/config/tables/program-settings.ts'

describe('the generated pages', () => {
  it.each(Object.entries(GENERATED_FILES))('docs/%s is what `npm run docs` writes', (file, text) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(text())
  })
})

describe('the example of a configuration', () => {
  it('is read, all of it', () => {
    const home = mkdtempSync(join(tmpdir(), 'pith-docs-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    mkdirSync(join(home, 'work'))
    writeFileSync(join(home, 'config.yaml'), CONFIG_EXAMPLE)
    const { settings } = loadConfig({ cwd: join(home, 'work'), env: { PITH_HOME: home }, home })
    expect(settings.policy).toMatchObject({ preset: 'economy', summaryModel: 'standard' })
    expect(settings.models).toMatchObject([{ provider: 'office', contextWindow: 128_000 }])
    expect(settings.hooks.beforeCompaction?.command).toContain('NOTES.md')
    expect(parseServerSettings(settings.server).hosts).toEqual(['pith.office.example'])
  })
})
