/** The address of the repository that a package.json names, such as https://HOST/OWNER/pith; undefined when it names none. */
export function repositoryAddress({ repository }) {
  const named = typeof repository === 'string' ? repository : repository?.url
  const [, address] = named?.match(/^(?:git\+)?(https:\/\/[^\s]+?)(?:\.git)?\/?$/) ?? []
  return address
}

/** What to do when there is none: everything but publishing works without it. */
export const NO_ADDRESS =
  'package.json does not say where the repository lives: npm pkg set repository.type=git repository.url=https://HOST/OWNER/pith, and commit that'
