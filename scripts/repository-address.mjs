/** The address of the repository that a package.json names in any of npm's forms, as https://HOST/OWNER/pith; undefined when it names none. */
export function repositoryAddress({ repository }) {
  const named = (typeof repository === 'string' ? repository : repository?.url) ?? ''
  const [, host = 'github', short] = named.match(/^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/) ?? []
  if (short !== undefined) return `https://${HOSTS[host]}/${short}`
  const [, web] = named.match(/^(?:git\+)?(https:\/\/\S+?)(?:\.git)?\/?$/) ?? []
  if (web !== undefined) return web
  const [, server, path] =
    named.match(
      /^(?:(?:git\+)?ssh:\/\/|git:\/\/|(?=git@))(?:[^\s@/]+@)?([^\s:/]+)(?::\d+\/|[:/])(\S+?)(?:\.git)?\/?$/,
    ) ?? []
  return server === undefined ? undefined : `https://${server}/${path}`
}

const HOSTS = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' }

/**
 * The problem with a package.json that does not say where the project lives, with the command that fixes it; undefined when it
 * does. The package's pages and its provenance use the repository, and npm shows all three.
 */
export function missingAddress(manifest) {
  const named = { repository: repositoryAddress(manifest), homepage: manifest.homepage, bugs: manifest.bugs }
  const missing = Object.keys(named).filter((name) => !named[name])
  return missing.length === 0
    ? undefined
    : `package.json does not say where the project lives (${missing.join(', ')}): ${SET_ADDRESS}, and commit that`
}

const HOME = 'https://HOST/OWNER/pith'
const SET_ADDRESS = `npm pkg set repository.type=git repository.url=${HOME} homepage=${HOME} bugs.url=${HOME}/issues`
