// Example boards, each a link with a sentence.

export interface Sample { title: string; text: string; link: string }

export const samples: Sample[] = [
  { title: "One queen rules a cell out",
    text: "Nothing attacks b3, yet no solution has a queen there: the queen on a1 alone rules it out.",
    link: "#n=8&q=a1,e8&why=b3" },
  { title: "No completion",
    text: "Four queens that do not attack each other, but no way to complete the board: which one is to blame?",
    link: "#n=8&q=c7,d4,a6,h3" },
  { title: "The four solutions of n = 6", text: "Fewer than for n = 5. Browse them one by one.",
    link: "#n=6&tab=solutions" },
  { title: "Everything forced", text: "Two queens leave only one solution: the other six are forced.",
    link: "#n=8&q=a1,b5" },
  { title: "A hard one", text: "Eight of twenty queens are placed, and one solution is left. Compare how long each " +
    "back-end takes to find it.", link: "#n=20&q=i6,g5,p19,q17,b18,c13,s14,t2&tab=compare" },
  { title: "Build a diagram", text: "Rule by rule, on a board of 4: watch nodes appear, merge and vanish.",
    link: "#n=4&tab=build" },
];
