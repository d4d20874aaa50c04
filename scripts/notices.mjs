import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the packages whose code a bundle took in. */
export function packagesIn(output) {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return new Set(modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))
}

/** Writes the licences of packages, given by their folders, into one file. */
export function notices(folders, file) {
  const texts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const licence = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = licence === undefined ? '' : `\n\n${readFileSync(join(folder, licence), 'utf8').trim()}`
    return `${name} ${version} (${license})${text}\n`
  })
  writeFileSync(file, texts.join('\n---\n\n'))
}
