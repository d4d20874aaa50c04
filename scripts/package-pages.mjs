// `npm pack` and `npm publish` run this before they pack, and with --restore after it: the pages of the package are those of
// the repository without links that lead out of the package, and its examples import Pith by its name.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { packagedExample } from './packaged-example.mjs'
import { packagedPage } from './packaged-page.mjs'
import { repositoryAddress } from './repository-address.mjs'

const root = resolve(import.meta.dirname, '..')
const kept = join(root, 'node_modules', '.cache', 'pith-pages')
const restore = process.argv.includes('--restore')

const listed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const files = JSON.parse(listed.stdout)[0].files.map(({ path }) => path)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { version, exports } = manifest
const facts = { files, version, repository: repositoryAddress(manifest) }

for (const page of files.filter((file) => /^examples\/|^(docs\/)?[^/]*\.md$/.test(file))) {
  const [file, copy] = [join(root, page), join(kept, page)]
  if (restore) {
    if (existsSync(copy)) writeFileSync(file, readFileSync(copy))
    continue
  }
  const text = readFileSync(file, 'utf8')
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, text)
  writeFileSync(
    file,
    page.startsWith('examples/') ? packagedExample(text, { exports }) : packagedPage(page, text, facts),
  )
}
if (restore) rmSync(kept, { recursive: true, force: true })
