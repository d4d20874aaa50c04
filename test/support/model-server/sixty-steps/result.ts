import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf } from './facts.ts'
import { CONFIG_FILE, RESULT_STEPS, resultPath, resultText } from './steps.ts'
import { manifestText } from './workspace.ts'

/** The content that the files of the sixty steps must have at the end. */
export function expectedResult(seed: number): Readonly<Record<string, string>> {
  const facts = factsOf(seed)
  const results = RESULT_STEPS.map((step) => [resultPath(step), resultText((label) => facts[label], step)] as const)
  return {
    ...Object.fromEntries(results),
    [resultPath(36)]: `${manifestText(facts)}\n`,
    [CONFIG_FILE]: `{\n  "name": "relay",\n  "port": "${facts['service-port']}",\n  "workers": 4\n}\n`,
  }
}

/** How the folder differs from what it should be, one line each; nothing when the task was done right. */
export async function checkResult(folder: string, seed: number): Promise<string[]> {
  const expected = expectedResult(seed)
  const differences = Object.entries(expected).map(async ([path, content]) => {
    const found = await readFile(join(folder, path), 'utf8').catch(() => undefined)
    if (found === content) return []
    return [found === undefined ? `${path} is missing` : `${path} has ${oneLine(found)} instead of ${oneLine(content)}`]
  })
  const names = await readdir(join(folder, 'out'))
  const extra = names.filter((name) => name !== '.keep' && expected[`out/${name}`] === undefined)
  return [...(await Promise.all(differences)).flat(), ...extra.map((name) => `out/${name} should not be there`)]
}

function oneLine(text: string): string {
  return JSON.stringify(text)
}
