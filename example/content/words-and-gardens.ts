import type { WrittenArticle } from './shapes.ts'

export const wordsAndGardens: readonly WrittenArticle[] = [
  {
    title: 'A square metre of lawn',
    subtitle: 'Adaeze Obi knelt down in a park with a spoon, and stayed for a year.',
    section: 'report',
    date: '2026-09-26',
    picture: 'a-square-metre',
    authors: ['adaeze-obi'],
    topics: ['gardens', 'science'],
    paragraphs: [
      'I chose it by throwing my hat. It landed between a goalpost and a bench in Eastville Park, and the metre around it became mine for a year, by an agreement with the gardeners which consisted of their laughing at me.',
      'In that metre I found nineteen kinds of plants, of which grass was five. There were two hundred and forty earthworms in the spring and seventy in August, when the rest had gone down to where it was cool. In a spoonful of the soil there were more living things than people in Bristol, and most of them have no name.',
      'What surprised me was how much it moved. A stone the size of a coin sank by three millimetres, buried by the castings of worms. Darwin measured the same thing in his uncle’s field, and had more patience: he waited for thirty years.',
      'Footballers ran across it every Sunday. It was the healthiest metre in the park. Soil does not mind being walked on half as much as it minds being left bare.',
    ],
    quote: { words: 'I chose it by throwing my hat.', by: 'Adaeze Obi' },
    french: {
      title: 'Un mètre carré de pelouse',
      subtitle: 'Adaeze Obi s’est agenouillée dans un parc avec une cuillère, et y est restée un an.',
      paragraphs: [
        'Je l’ai choisi en lançant mon chapeau. Il est tombé entre un poteau de but et un banc, et le mètre autour de lui a été le mien pendant un an, grâce à un accord avec les jardiniers qui a consisté à rire de moi.',
        'Dans ce mètre, j’ai trouvé dix-neuf espèces de plantes, dont cinq graminées. Il y avait deux cent quarante vers de terre au printemps et soixante-dix en août, quand les autres étaient descendus au frais. Dans une cuillerée de cette terre, il y avait plus d’êtres vivants que d’habitants à Bristol, et la plupart n’ont pas de nom.',
        'Les footballeurs le traversaient chaque dimanche. C’était le mètre le mieux portant du parc. La terre souffre bien moins d’être piétinée que d’être laissée nue.',
      ],
      quote: { words: 'Je l’ai choisi en lançant mon chapeau.', by: 'Adaeze Obi' },
    },
  },
  {
    title: 'Seven words for mud',
    subtitle: 'What the people of the Severn see when the tide goes out.',
    section: 'essay',
    date: '2026-08-08',
    picture: 'mud-and-curlews',
    authors: ['adaeze-obi', 'hugh-pemberton'],
    topics: ['language', 'rivers'],
    paragraphs: [
      'A visitor sees mud. A fisherman at Aust sees *sludge*, which will hold a plank, and *slurry*, which will not; *blue*, which is old and hard and slippery; *quick*, which is sand with ambitions; *crust*, *cream*, and *the other*. He would not say what the other was. He pointed, and we walked round it.',
      'It is said that people have many words for what they look at often. It is truer that they have many words for what can kill them. Nobody on the estuary has seven words for grass.',
      'Two of the seven are in no dictionary. I have written to the editors of one. They replied with great courtesy that a word must be found in print, and so I am printing them here.',
    ],
  },
  {
    title: 'The garden behind the timetable',
    subtitle: 'Between platforms two and three of a small station somebody grows beans.',
    section: 'report',
    date: '2026-07-25',
    picture: 'wild-garden',
    authors: ['hugh-pemberton', 'ines-moreau'],
    topics: ['gardens', 'cities'],
    paragraphs: [
      'The strip is forty metres long and two wide, and until 2019 it belonged to ballast and buddleia. Then the man who cleans the waiting room asked whether anybody would mind. The railway answered after five months that there was no rule, and by then the beans were in.',
      'Now there are beans, chard, a fig against the south wall of the lamp room, and a great many nasturtiums. Commuters weed. There is no rota; there is a trowel on a nail, and the 7.52 is often late.',
      'The fig is the favourite. It should not grow this far north, but the wall is warmed by the lamp room, and the lamp room by an ancient transformer that ought to have been replaced. The engineers know. They like figs.',
    ],
    french: {
      title: 'Le jardin derrière l’horaire',
      subtitle: 'Entre les quais deux et trois d’une petite gare, quelqu’un fait pousser des haricots.',
      paragraphs: [
        'La bande fait quarante mètres de long et deux de large, et jusqu’en 2019 elle appartenait au ballast et aux buddleias. Puis l’homme qui nettoie la salle d’attente a demandé si cela gênerait quelqu’un. Au bout de cinq mois, les chemins de fer ont répondu qu’il n’existait pas de règle ; à ce moment-là, les haricots étaient plantés.',
        'Il y a maintenant des haricots, des blettes, un figuier contre le mur sud de la lampisterie et beaucoup de capucines. Les voyageurs désherbent. Il n’y a pas de tour de rôle : il y a un transplantoir accroché à un clou, et le 7 h 52 est souvent en retard.',
        'Le figuier est le préféré. Il ne devrait pas pousser si loin au nord, mais le mur est chauffé par un très vieux transformateur qu’il aurait fallu remplacer. Les ingénieurs le savent. Ils aiment les figues.',
      ],
    },
  },
  {
    title: 'Translating a menu is hard',
    subtitle: 'Why “leg of lamb” is a tragedy in three languages.',
    section: 'essay',
    date: '2026-06-20',
    picture: 'birds-from-a-book',
    authors: ['claire-aubert'],
    topics: ['language', 'food'],
    paragraphs: [
      'A novel gives you a chapter to explain a thing. A menu gives you four words, and the reader is hungry. I have translated both, and I still dream of the menus.',
      'The trouble is that dishes are named after promises. *Souris d’agneau* is not a mouse, but it is meant to sound small and tender. “Lamb shank” is true, and it is a piece of anatomy. Between the two lies the entire distance from a white tablecloth to a butcher’s chart.',
      'My rule is to translate what the guest should feel and to leave the animal to the waiter. It has failed once, with tripe.',
    ],
    french: {
      title: 'Traduire un menu est difficile',
      subtitle: 'Pourquoi la souris d’agneau est une tragédie en trois langues.',
      paragraphs: [
        'Un roman vous donne un chapitre pour expliquer une chose. Un menu vous donne quatre mots, et le lecteur a faim. J’ai traduit les deux, et ce sont les menus dont je rêve encore.',
        'L’ennui, c’est que les plats portent des noms de promesses. La souris d’agneau n’est pas une souris, mais elle doit sembler petite et tendre. En anglais, on dit « jarret » : c’est exact, et c’est de l’anatomie. Entre les deux, il y a toute la distance d’une nappe blanche à une planche de boucher.',
        'Ma règle est de traduire ce que le convive doit ressentir, et de laisser l’animal au serveur. Elle a échoué une fois, avec des tripes.',
      ],
    },
  },
  {
    title: 'An orchard in an exercise book',
    subtitle: 'A village in Herefordshire has lost its apple names, and is finding them again.',
    section: 'report',
    date: '2026-05-02',
    picture: 'names-of-apples',
    authors: ['adaeze-obi', 'claire-aubert'],
    topics: ['gardens', 'language', 'food'],
    paragraphs: [
      'The school closed in 1988, and the exercise book was found in its attic in 2021: a list, in a child’s best hand, of all the apple trees on the way to school. There are sixty-two. Forty have names which nobody in the village can place.',
      'Some are plainly the child’s own. *The One Granny Fell Off* is still standing. But *Slack-ma-Girdle* and *Sheep’s Nose* are old Herefordshire cider apples, and *Ten Commandments* shows ten red spots around its core when it is cut across, as the list says it should.',
      'Leaves of all the trees that remain have been sent to be compared with the national collection. Eleven matched. Nine matched nothing at all. Those will be called what the exercise book calls them.',
    ],
    quote: { words: 'The One Granny Fell Off is still standing.', by: 'From the village survey' },
  },
  {
    title: 'Letters to a compost heap',
    subtitle: 'A correspondence that is mostly one-sided.',
    section: 'essay',
    date: '2026-03-21',
    picture: 'wild-garden',
    authors: ['adaeze-obi'],
    topics: ['gardens', 'science'],
    paragraphs: [
      'Dear heap: you are at sixty-one degrees this morning, and I have told everyone. It is a matter of four parts brown to one part green, of damp but not wet, and of being turned before you ask.',
      'Inside you there is a war, and it keeps you warm. First come the quick ones, who eat sugars and raise the temperature until they die of it. Then those who love the heat. When it falls again there come the slow ones, fungi and worms, who can eat wood and are in no hurry. It is the history of most empires, in twelve weeks.',
      'In April I shall spread you under the roses. You will look like nothing in particular. That is how I shall know that you are finished.',
    ],
  },
  {
    title: 'The dictionary of gestures',
    subtitle: 'In Marseille a linguist films what hands say when mouths are busy.',
    section: 'portrait',
    date: '2026-02-28',
    picture: 'old-town',
    authors: ['samir-haddad', 'claire-aubert'],
    topics: ['language', 'cities'],
    paragraphs: [
      'Entry 114: thumb and forefinger drawn along an invisible thread. Meaning: *it is delicate, let us not rush*. Seen at the fish market, in a bank, and between two people who were carrying a piano. Leïla Mansouri has three hundred and six entries, and says that she is at the letter C.',
      'She does not ask people what a gesture means. They always know, and they are nearly always wrong. She films, with permission, and looks at what the other person does next. A gesture means whatever it makes happen.',
      'The shortest entry is number 9: one eyebrow. The longest, a sequence of eleven movements which refuses the last piece of cake three times and then accepts it, has been seen by everyone who has an aunt.',
    ],
  },
  {
    title: 'Moss does not hurry',
    subtitle: 'On the roof of a bus shelter a forest is growing, two centimetres tall.',
    section: 'essay',
    date: '2025-11-29',
    picture: 'a-square-metre',
    authors: ['adaeze-obi'],
    topics: ['gardens', 'cities', 'science'],
    paragraphs: [
      'Moss has no roots. It holds on to the roof as you hold on to a strap in the bus, and drinks with its entire skin. When it is dry it folds itself up and waits. It can wait for years; specimens from drawers in museums have turned green again in a saucer of water.',
      'On the shelter at the end of my road there are four kinds, and on them live creatures that have nowhere else to go: mites, springtails, and water bears, which are half a millimetre long and walk like something much heavier.',
      'The council scrubs the shelter every other spring. The moss comes back from the gutters, from the north side, from the places which a brush does not reach. I have stopped being sorry for it. It has been doing this for four hundred million years, and it has seen brushes before.',
    ],
  },
]

/** Not yet published: for editors only. */
export const waiting: readonly WrittenArticle[] = [
  {
    title: 'Bread at the end of the line',
    subtitle: 'A draft: the bakery in the last station before the sea.',
    section: 'report',
    date: '2026-12-05',
    picture: 'bread-on-the-ferry',
    authors: ['claire-aubert'],
    topics: ['food', 'cities'],
    paragraphs: [
      'The train turns round here, and so do most of the passengers. Those who walk on for two minutes find a door without a sign, and behind it Odile, who has been baking for the first train since it was drawn by steam.',
      'To be continued when she has time to talk, which is between four and ten past.',
    ],
  },
  {
    title: 'The physics of a good bell',
    subtitle: 'A draft: why the best bells are a little out of tune with themselves.',
    section: 'essay',
    date: '2026-12-12',
    picture: 'old-town',
    authors: ['samir-haddad'],
    topics: ['science', 'craft'],
    paragraphs: [
      'Strike a bell and you hear a note that is not there. The pitch we sing afterwards is made up by the ear, from three partials that stand in the ratio of two to three to four. Founders knew this before anyone could say it.',
      'The measurements from the foundry are still missing.',
    ],
  },
]

/** Changes that wait in the drafts of published articles, by the article's title. */
export const waitingChanges = [
  {
    title: 'A city at four in the morning',
    change: { subtitle: 'What Leeds sounds like when it thinks that nobody listens.', note: 'New subtitle: shorter?' },
  },
  {
    title: 'Eels, counted by hand',
    change: { note: 'Ask Margaret Yeo for this year’s figures before we publish again.' },
  },
] as const
