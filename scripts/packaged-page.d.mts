type Package = {
  /** The files of the package. */
  readonly files: readonly string[]
  readonly version: string
  /** The address of the repository, once it is known. */
  readonly repository?: string
}

/** A page as it is in the package. */
export declare function packagedPage(page: string, text: string, of: Package): string
