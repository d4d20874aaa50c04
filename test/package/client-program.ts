import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksIn } from './doc-blocks.ts'
import { ROOT } from './loaded-modules.ts'

/** The docs' program with the client, as a module for this server; what the program prints is in its `said`. */
export function clientProgram({ url, token }: { readonly url: string; readonly token: string }): string {
  const page = readFileSync(join(ROOT, 'docs', 'deploy.md'), 'utf8')
  const block = blocksIn(page, 'deploy.md').find(({ code }) => code.includes('pith/client'))
  const program = (block?.code ?? '')
    .replace('http://127.0.0.1:7484', url)
    .replace('TOKEN', token)
    .replaceAll('console.log', 'said.push')
  return `export const said: unknown[] = []\n${program}`
}
