type Target = string | { readonly default: string }

/** An example as it is in the package: it imports Pith by its name. */
export declare function packagedExample(
  text: string,
  of: { readonly exports: Readonly<Record<string, Target>> },
): string
