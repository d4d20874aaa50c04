import { posix } from 'node:path'

/**
 * A page as it stands in the package. Of its links into the repository those stay that lead to a file of the package. The
 * others become addresses where the address of the repository is known, and else plain text; a picture goes then.
 * The README is shown apart from the package, so there all of them become addresses.
 */
export function packagedPage(page, text, { files, repository, version }) {
  const isShownApart = page === 'README.md' && repository !== undefined
  const resolved = (link, kind) => {
    const [path, anchor] = link.split('#')
    if (/^[a-z]+:/.test(link) || path === '') return link
    const target = posix.join(posix.dirname(page), path)
    if (isInside(files, target) && !isShownApart) return link
    const address = `${repository}/${kind}/v${version}/${target}`
    return repository === undefined ? undefined : anchor === undefined ? address : `${address}#${anchor}`
  }
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : withLinks(part, resolved)))
    .join('')
}

function withLinks(text, resolved) {
  return text
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n*/g, (picture) => {
      const links = [...picture.matchAll(/src(?:set)?="([^"]+)"/g)].map(([, link]) => link)
      if (links.some((link) => resolved(link, 'raw') === undefined)) return ''
      return picture.replaceAll(/(src(?:set)?)="([^"]+)"/g, (_, name, link) => `${name}="${resolved(link, 'raw')}"`)
    })
    .replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, picture, label, link) => {
      const target = resolved(link, picture === '' ? 'blob' : 'raw')
      if (target !== undefined) return `${picture}[${label}](${target})`
      return picture === '' ? label : ''
    })
}

function isInside(files, target) {
  return files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))
}
