/** The magazine's own texts, in each of its languages. Everything else is content. */
export const words = {
  en: {
    skip: 'Skip to the text',
    menu: 'Menu',
    languages: 'Languages',
    issue: 'Autumn 2026 · No. 12',
    sections: { report: 'Report', essay: 'Essay', recipe: 'Recipe', portrait: 'Portrait' },
    section: 'Sections',
    topics: 'Topics',
    minutes: (count: number) => `${count} min read`,
    by: 'By',
    and: 'and',
    all: 'All articles',
    pages: 'Pages',
    earlier: 'Earlier',
    later: 'Later',
    aboutAuthors: (count: number) => (count === 1 ? 'About the author' : 'About the authors'),
    articlesBy: (name: string) => `Articles by ${name}`,
    readOn: 'Read on',
    previous: 'Previous article',
    next: 'Next article',
    search: 'Search',
    searchFor: 'Search the articles',
    found: (count: number, query: string) =>
      count === 0
        ? `Nothing about “${query}” yet.`
        : `${count === 1 ? 'One article' : `${count} articles`} about “${query}”`,
    illustration: 'Illustration',
    where: 'You are here',
    magazine: 'The magazine',
    notFound: 'There is no light here',
    notFoundText: 'The page has moved, or never was. Perhaps one of these is what you were looking for.',
    newest: 'The newest articles',
    failed: 'The lamp has gone out',
    failedText: 'Something went wrong on our side. Please try again in a moment.',
  },
  fr: {
    skip: 'Aller au texte',
    menu: 'Menu',
    languages: 'Langues',
    issue: 'Automne 2026 · Nº 12',
    sections: { report: 'Reportage', essay: 'Essai', recipe: 'Recette', portrait: 'Portrait' },
    section: 'Rubriques',
    topics: 'Thèmes',
    minutes: (count: number) => `${count} min de lecture`,
    by: 'Par',
    and: 'et',
    all: 'Tous les articles',
    pages: 'Pages',
    earlier: 'Plus anciens',
    later: 'Plus récents',
    aboutAuthors: (count: number) => (count === 1 ? 'À propos de l’auteur' : 'À propos des auteurs'),
    articlesBy: (name: string) => `Articles de ${name}`,
    readOn: 'À lire aussi',
    previous: 'Article précédent',
    next: 'Article suivant',
    search: 'Chercher',
    searchFor: 'Chercher dans les articles',
    found: (count: number, query: string) =>
      count === 0
        ? `Rien encore sur « ${query} ».`
        : `${count === 1 ? 'Un article' : `${count} articles`} sur « ${query} »`,
    illustration: 'Illustration',
    where: 'Vous êtes ici',
    magazine: 'La revue',
    notFound: 'Pas de lumière ici',
    notFoundText: 'La page a déménagé, ou n’a jamais existé. Vous cherchiez peut-être l’un de ces articles.',
    newest: 'Les derniers articles',
    failed: 'La lampe s’est éteinte',
    failedText: 'Quelque chose a échoué chez nous. Réessayez dans un instant.',
  },
} as const

/** The words of a locale. */
export function wordsIn(locale: string) {
  return locale === 'fr' ? words.fr : words.en
}

/** Whether a value is the name of a section. */
export function isSection(value: unknown): value is keyof typeof words.en.sections {
  return typeof value === 'string' && value in words.en.sections
}

/** A day as readers write it: 3 October 2026. */
export function dayIn(locale: string, day: string | null): string {
  if (day === null) return ''
  return new Intl.DateTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
}
