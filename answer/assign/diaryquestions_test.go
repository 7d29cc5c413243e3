package assign

// Further questions of the development set, each with the day that answers it. The first half was written
// before the choice of sentences was last changed, the second half after it.
var pepysOwn = []struct{ question, days string }{
	{"When did he first see his wife wear black patches?", "1660-08-30"},
	{"Who preached upon Original Sin?", "1667-02-10"},
	{"How much did he pay Sir Robert Viner for the plate?", "1666-12-24"},
	{"What did his wife and Ashwell spill?", "1663-05-25"},
	{"What did Pelting bring to dinner?", "1668-08-12"},
	{"Where did he buy Audley's Way to Be Rich?", "1663-01-23"},
	{"When did he buy Audley's Way to Be Rich?", "1663-01-23"},
	{"Why was he angry with Will in April 1663?", "1663-04-07"},
	{"What happened to his wife near Puckeridge?", "1661-09-18"},
	{"Who showed him the manner of eating turpentine?", "1664-07-17"},
	{"How much did he suppose himself to be worth at the end of 1661?", "1661-12-31"},
	{"When was the Duke of Monmouth sick?", "1667-12-17"},
	{"What did he read on 9 August 1665?", "1665-08-09"},
	{"When did Captain Lambert take his leave of him?", "1661-11-14"},
	{"Where were Lord Buckhurst and Nelly lodged?", "1667-07-14"},
	{"What did he and his wife have for dinner on 19 March 1664?", "1664-03-19"},
	{"When was the Queen-Mother ill?", "1669-04-04"},
	{"Who was playing finely on the guitar?", "1666-11-21"},
	{"When did he go on board the Dutch yacht?", "1661-06-13"},
	{"What did he think of Lady Wright?", "1661-11-20"},
}

// The second half.
var pepysAfter = []struct{ question, days string }{
	{"Who set sail for the Straights on 14 November 1661?", "1661-11-14"},
	{"What did he find the Lord Mayor's dinner like?", "1663-09-02"},
	{"When was it too rainy to remove his goods to his house?", "1660-07-16"},
	{"Who promised to do him a more lasting kindness?", "1660-06-02"},
	{"How much did he pay for the plate?", "1666-12-24"},
	{"When did his wife and her maid Ashwell spill the pot?", "1663-05-25"},
	{"What was troubling Prince Rupert according to Mr. Progers?", "1668-03-20"},
	{"What did Pelting bring on 12 August 1668?", "1668-08-12"},
	{"Why did Roger Pepys speak with him about Carcasse?", "1667-11-09"},
	{"When did he have blows with his wife about their victuals?", "1664-10-07"},
	{"Who is lodged at the next house to Sir Charles Sidly?", "1667-07-14"},
	{"When was he able to sleep well after having been in pain in July 1666?", "1666-07-17"},
	{"What did he buy near Temple Bar?", "1663-01-23"},
	{"When did he see old Ryly the Herald?", "1664-05-13"},
	{"Where did he find his Will ill of the headache?", "1665-07-29"},
	{"What did he drink in the Dutch house?", "1665-02-13"},
	{"How did his wife look when he was sick at Berlin?", ""},
	{"When did Captain Lambert marry the Queen?", ""},
	{"What did he pay for the guitar of Lord Buckhurst?", ""},
	{"Who taught Pelting to catch partridges?", ""},
}
