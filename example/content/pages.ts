/** The words of a page in one language. */
export interface PageText {
  readonly title: string
  readonly intro: string
  readonly paragraphs?: readonly string[]
  readonly quote?: { readonly words: string; readonly by: string }
}

/** A page, with those below it. */
export interface WrittenPage extends PageText {
  /** `text-page` when left out. */
  readonly type?: 'articles-page' | 'topics-page' | 'authors-page' | 'search-page'
  readonly french: PageText
  /** Not in menus: it is found by its address, or in the whole tree. */
  readonly orphan?: boolean
  readonly below?: readonly WrittenPage[]
}

/** The pages of the magazine, in the order of its menu. */
export const pages: readonly WrittenPage[] = [
  {
    type: 'articles-page',
    title: 'Articles',
    intro: 'Everything that we have printed, the newest first.',
    french: { title: 'Articles', intro: 'Tout ce que nous avons imprimé, le plus récent d’abord.' },
  },
  {
    type: 'topics-page',
    title: 'Topics',
    intro: 'Eight things that we cannot stop writing about.',
    french: { title: 'Thèmes', intro: 'Huit choses dont nous ne nous lassons pas.' },
  },
  {
    type: 'authors-page',
    title: 'Authors',
    intro: 'Six people with sharp pencils and muddy shoes.',
    french: { title: 'Auteurs', intro: 'Six personnes aux crayons taillés et aux chaussures boueuses.' },
  },
  {
    title: 'About',
    intro: 'Lantern is a small magazine about rivers, kitchens, gardens and the night.',
    paragraphs: [
      'We print what can be read aloud in one evening. Every text has been walked to: to the ferry, the oven, the allotment.',
      'There are four issues a year, one for each season, and nobody here is in a hurry.',
      'It began with a lamp. In the winter of 2023 the power failed in the old ferry house for three days, and the six of us who were there read to each other what we had in our bags: letters, recipes, a report on eels. On the third evening somebody said that this was a magazine.',
      'We have no advertisements and no photographs. Each text has one picture, which is drawn after it has been read. What you pay goes to those who wrote, drew and printed it, in equal parts.',
    ],
    quote: { words: 'A text is done when it can be read by one lamp.', by: 'Written above the door' },
    french: {
      title: 'À propos',
      intro: 'Lantern est une petite revue des rivières, des cuisines, des jardins et de la nuit.',
      paragraphs: [
        'Nous imprimons ce qui se lit à voix haute en une soirée. Chaque texte a été atteint à pied : le bac, le four, le jardin.',
        'Quatre numéros par an, un par saison, et personne ici n’est pressé.',
        'Tout a commencé par une lampe. Pendant l’hiver 2023, l’électricité a manqué trois jours dans l’ancienne maison du bac, et les six qui s’y trouvaient se sont lu ce qu’ils avaient dans leurs sacs : des lettres, des recettes, un rapport sur les anguilles. Le troisième soir, quelqu’un a dit que c’était une revue.',
        'Ni publicité ni photographies. Chaque texte a une image, dessinée après la lecture. Ce que vous payez va, à parts égales, à ceux qui ont écrit, dessiné et imprimé.',
      ],
      quote: {
        words: 'Un texte est fini quand il se lit à la lumière d’une seule lampe.',
        by: 'Écrit au-dessus de la porte',
      },
    },
    below: [
      {
        title: 'How we work',
        intro: 'Two readers, one pencil, no deadline before the second draft.',
        paragraphs: [
          'Each text is read by two of us, on paper. What both have marked is changed; the rest is talked about.',
          'Facts are checked where they happened. If somebody writes that the ferry leaves at a quarter past seven, one of us stands on the landing stage at seven.',
          'Mistakes are put right in the next issue, on the first page, in the same size of type.',
        ],
        french: {
          title: 'Notre travail',
          intro: 'Deux lecteurs, un crayon, aucun délai avant la deuxième version.',
          paragraphs: [
            'Chaque texte est lu par deux d’entre nous, sur papier. Ce que les deux ont marqué est changé ; du reste, on parle.',
            'Les faits sont vérifiés sur place. Si quelqu’un écrit que le bac part à sept heures et quart, l’un de nous est à l’embarcadère à sept heures.',
            'Les erreurs sont corrigées dans le numéro suivant, en première page, dans le même corps.',
          ],
        },
      },
      {
        title: 'Write for us',
        intro: 'Send us something that you have seen yourself.',
        paragraphs: ['A page is enough. Tell us where you stood, what it smelled of, and who told you the rest.'],
        french: {
          title: 'Écrivez-nous',
          intro: 'Envoyez-nous ce que vous avez vu vous-même.',
          paragraphs: ['Une page suffit. Dites où vous étiez, ce que cela sentait, et qui vous a raconté le reste.'],
        },
      },
    ],
  },
  {
    title: 'Subscribe',
    intro: 'Four issues by post, wrapped in last year’s map of the river.',
    paragraphs: ['Send a postcard. We answer with the next issue, and with a bill that you may pay in walnuts.'],
    french: {
      title: 'Abonnement',
      intro: 'Quatre numéros par la poste, dans la carte de la rivière de l’an dernier.',
      paragraphs: ['Envoyez une carte postale. Nous répondons par le prochain numéro, et une facture payable en noix.'],
    },
  },
  {
    type: 'search-page',
    title: 'Search',
    intro: 'Titles, texts and people: one word is enough.',
    french: { title: 'Recherche', intro: 'Titres, textes et personnes : un mot suffit.' },
  },
  {
    title: 'Imprint',
    intro: 'Who answers for what is printed here.',
    paragraphs: ['Lantern, at the old ferry house. Printed on Tuesdays.'],
    orphan: true,
    french: {
      title: 'Mentions légales',
      intro: 'Qui répond de ce qui est imprimé ici.',
      paragraphs: ['Lantern, à l’ancienne maison du bac. Imprimé le mardi.'],
    },
  },
]
