import type { PageText } from './pages.ts'

/** A part of the home page: a widget, with the titles of the articles that it shows. */
export type HomePart =
  | { readonly type: 'front'; readonly lead: string; readonly beside: readonly string[] }
  | {
      readonly type: 'shelf'
      readonly heading: string
      readonly words: string
      readonly isNight?: boolean
      readonly articles: readonly string[]
    }
  | { readonly type: 'latest'; readonly heading: string; readonly count: number }
  | { readonly type: 'quote'; readonly words: string; readonly by: string }

/** The home page and the words of every page, in one language. Articles are named by their English titles. */
export interface HomeText extends Pick<PageText, 'title'> {
  readonly motto: string
  readonly colophon: string
  readonly main: readonly HomePart[]
}

/** The home page in English. */
export const home: HomeText = {
  title: 'Home',
  motto: 'A small magazine about rivers, kitchens, gardens and the night.',
  colophon: 'Written on foot and printed on Tuesdays, at the old ferry house.',
  main: [
    {
      type: 'front',
      lead: 'The ferry that waits for bread',
      beside: ['The chair that took nine years', 'A square metre of lawn', 'Seven words for mud'],
    },
    {
      type: 'shelf',
      heading: 'From the kitchen',
      words: 'What we cook, and what it has to do with soil, salt and patience.',
      articles: ['Onion soup for a long evening', 'Sourdough for people who travel', 'An orchard in an exercise book'],
    },
    {
      type: 'quote',
      words: 'Number four has never given me any trouble. I do not trust it.',
      by: 'Bernard, the last lamplighter of the quay',
    },
    {
      type: 'shelf',
      heading: 'After dark',
      words: 'Four texts to read by the light of a single lamp.',
      isNight: true,
      articles: [
        'The last lamplighter of the quay',
        'A city at four in the morning',
        'How dark is dark?',
        'The night bus as a living room',
      ],
    },
    { type: 'latest', heading: 'New in this issue', count: 6 },
  ],
}

/** The home page in French, of what has been translated. */
export const frenchHome: HomeText = {
  title: 'Accueil',
  motto: 'Une petite revue des rivières, des cuisines, des jardins et de la nuit.',
  colophon: 'Écrite à pied et imprimée le mardi, à l’ancienne maison du bac.',
  main: [
    {
      type: 'front',
      lead: 'A city at four in the morning',
      beside: ['The ferry that waits for bread', 'A square metre of lawn', 'Translating a menu is hard'],
    },
    {
      type: 'shelf',
      heading: 'De la cuisine',
      words: 'Ce que l’on cuisine, et ce que cela doit à la terre, au sel et à la patience.',
      articles: ['Onion soup for a long evening', 'Sourdough for people who travel', 'The pickle ledger'],
    },
    {
      type: 'quote',
      words: 'Je ne fais pas de chaises. Je détourne les arbres de leurs projets.',
      by: 'Agnieszka Lis, menuisière',
    },
    {
      type: 'shelf',
      heading: 'À la nuit tombée',
      words: 'Trois textes à lire à la lumière d’une seule lampe.',
      isNight: true,
      articles: ['The last lamplighter of the quay', 'How dark is dark?', 'Reading a river by its foam'],
    },
    { type: 'latest', heading: 'Dans ce numéro', count: 6 },
  ],
}
